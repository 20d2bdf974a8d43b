// Opens tables, probes a board, lists its moves and follows the best line, in Java through
// JNA (net.java.dev.jna:jna). `jna.library.path` names the folder of the shared library:
//
//     java -cp jna.jar -Djna.library.path=/usr/local/lib Probe.java [BOARD [RULES [FOLDER]...]]

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.NativeLongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.Arrays;
import java.util.Map;

public class Probe {
    /** The functions of krou.h that this example calls. A size_t is a NativeLong. */
    public interface Krou extends Library {
        Krou INSTANCE = Native.load("krou", Krou.class,
                Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));

        int krou_abi_version();

        String krou_last_error();

        int krou_open(String rules, String[] folders, NativeLong count, PointerByReference out);

        void krou_close(Pointer tables);

        int krou_parse_board(String from, byte[] board);

        int krou_probe(Pointer tables, byte[] board, Result out);

        int krou_moves(Pointer tables, byte[] board, Move[] moves, NativeLong size,
                NativeLongByReference count);

        int krou_best_line(Pointer tables, byte[] board, Step[] steps, NativeLong size,
                NativeLong capacity, NativeLongByReference count, IntByReference end);
    }

    /** krou_result. */
    @Structure.FieldOrder({"value", "lower", "upper", "distance", "known"})
    public static class Result extends Structure {
        public static final int VALUE = 1;
        public static final int BOUNDS = 2;
        public static final int DISTANCE = 4;

        public byte value;
        public byte lower;
        public byte upper;
        public short distance;
        public int known;
    }

    /** krou_step. */
    @Structure.FieldOrder({"pit", "captured", "gain", "next", "board"})
    public static class Step extends Structure {
        public byte pit;
        public byte captured;
        public byte gain;
        public byte next;
        public byte[] board = new byte[12];
    }

    /** krou_move. */
    @Structure.FieldOrder({"step", "result"})
    public static class Move extends Structure {
        public Step step;
        public Result result;
    }

    private static final int ABI_VERSION = 1;
    private static final int MAX_MOVES = 6;

    private static void check(int code) {
        if (code != 0) {
            throw new IllegalStateException(Krou.INSTANCE.krou_last_error());
        }
    }

    private static void run(Pointer tables, String text) {
        Krou krou = Krou.INSTANCE;
        byte[] board = new byte[12];
        check(krou.krou_parse_board(text, board));
        Result result = new Result();
        check(krou.krou_probe(tables, board, result));
        StringBuilder line = new StringBuilder("value " + result.value);
        if ((result.known & Result.DISTANCE) != 0) {
            line.append(", distance ").append(result.distance);
        }
        if ((result.known & Result.BOUNDS) != 0) {
            line.append(", bounds ").append(result.lower).append(" to ").append(result.upper);
        }
        System.out.println(line);

        Move[] moves = (Move[]) new Move().toArray(MAX_MOVES);
        NativeLongByReference count = new NativeLongByReference();
        check(krou.krou_moves(tables, board, moves, new NativeLong(moves[0].size()), count));
        for (int i = 0; i < count.getValue().intValue(); i++) {
            Result worth = moves[i].result;
            boolean known = (worth.known & Result.VALUE) != 0;
            System.out.println("pit " + moves[i].step.pit + ": " + (known ? worth.value : "not known"));
        }

        Step[] steps = (Step[]) new Step().toArray(10);
        check(krou.krou_best_line(tables, board, steps, new NativeLong(steps[0].size()),
                new NativeLong(steps.length), count, null));
        StringBuilder best = new StringBuilder("best line:");
        for (int i = 0; i < count.getValue().intValue(); i++) {
            best.append(' ').append(steps[i].pit);
        }
        System.out.println(best);
    }

    public static void main(String[] arguments) {
        Krou krou = Krou.INSTANCE;
        if (krou.krou_abi_version() != ABI_VERSION) {
            throw new IllegalStateException("the library has another ABI version");
        }
        String board = arguments.length > 0 ? arguments[0] : "0 1 1 0 2 2 / 0 1 0 1 1 0";
        String rules = arguments.length > 1 ? arguments[1] : "awari";
        String[] folders = Arrays.copyOfRange(arguments, Math.min(2, arguments.length), arguments.length);
        PointerByReference tables = new PointerByReference();
        try {
            check(krou.krou_open(rules, folders.length == 0 ? null : folders,
                    new NativeLong(folders.length), tables));
            try {
                run(tables.getValue(), board);
            } finally {
                krou.krou_close(tables.getValue());
            }
        } catch (IllegalStateException error) {
            System.err.println("probe: " + error.getMessage());
            System.exit(1);
        }
    }
}
