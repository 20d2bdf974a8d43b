class Krou < Formula
  desc "Exact endgame tables, engine and board for oware"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@/releases/download/v@VERSION@/krou-@VERSION@-sources.tar.gz"
  sha256 "@SOURCES@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    system bin/"krou", "man", "--out", man1
    generate_completions_from_executable(bin/"krou", "completions")
  end

  test do
    printed = shell_output("#{bin}/krou probe --json '0 1 1 0 2 2 / 0 1 0 1 1 0'")
    assert_match "\"value\":-5", printed
  end
end
