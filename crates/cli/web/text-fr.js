// The texts of the page in French. The keys are those of text-en.js.

import { help, ruleset } from "./help-text-fr.js";
import learn from "./learn-text-fr.js";
import lesson from "./lesson-text-fr.js";
import { puzzles, trainer } from "./puzzles-text-fr.js";

const NAMES = { south: "Sud", north: "Nord" };
// Zero and one are singular in French.
const plural = (number, one, many) => `${number} ${number < 2 ? one : many}`;
const seeds = (number) => plural(number, "graine", "graines");
const plies = (number) => plural(number, "coup", "coups");
const pits = (player) => (player === "south" ? "A à F" : "a à f");

export default {
  code: "fr",
  name: "Français",
  decimal: (number) => number.toFixed(1).replace(".", ","),
  large: (number) => number.toLocaleString("fr"),

  players: NAMES,

  puzzles,
  trainer,
  learn,
  lesson,

  page: {
    title: "krou : l’awalé et ses finales exactes",
    rules: "Règles",
    language: "Langue",
    newGame: "Nouvelle partie",
    editBoard: "Modifier",
    copyLink: "Copier le lien",
    copied: "Copié",
    help: "Aide",
    close: "Fermer",
    noScript: "Cette page a besoin de JavaScript. L’API JSON fonctionne sans lui.",
    board: "Plateau",
    steps: "Reculer et avancer",
    first: "Au début",
    firstTitle: "Au début (Début)",
    back: "Reculer d’un coup",
    backTitle: "Reculer (←)",
    forward: "Avancer d’un coup",
    forwardTitle: "Avancer (→)",
    last: "Au dernier coup",
    lastTitle: "Au dernier coup (Fin)",
    undo: "Annuler",
    redo: "Rétablir",
    loading: "Chargement…",
    flip: "Retourner",
    tryAgain: "Réessayer",
  },

  views: {
    label: "Vues",
    tagline: "Jouer et étudier l’awalé, finales exactes.",
    play: "Jouer",
    analyse: "Analyser",
    puzzles: "Énigmes",
    learn: "Leçons",
  },

  title: {
    position: (rules, ply, verdict) => `${verdict ? `${verdict} · ` : ""}${ply > 0 ? `coup ${ply} · ` : ""}${rules} · krou`,
  },

  welcome: {
    text: "Vous découvrez l’awalé ? Choisissez une de vos cases : ses graines sont semées une à une, dans le sens inverse des aiguilles d’une montre. Si la dernière porte une case adverse à deux ou trois graines, vous les capturez. Celui qui récolte le plus de graines gagne.",
    how: "Comment jouer",
    close: "Compris",
  },

  examples: {
    title: "À essayer",
    trap: "Un piège",
    trapTitle: "À Sud de jouer : les deux prises perdent, un coup tranquille gagne",
    draw: "Sauver la nulle",
    drawTitle: "À Sud de jouer : un seul coup annule",
    long: "Un gain de longue haleine",
    longTitle: "Une finale gagnée dont la prochaine prise est à 59 coups",
    start: "Position initiale",
    startTitle: "Le début d’une partie, estimé par le moteur",
    game: "Une partie entière",
    gameTitle: "Une partie à parcourir et à analyser",
    random: "Finale au hasard",
    randomTitle: "Quelques graines réparties au hasard, connues des tables",
  },

  board: {
    row: (player) => `Cases de ${NAMES[player]}`,
    pitOf: (player) => `case de ${NAMES[player]}`,
    preview: (letter, to, taken) => `${letter} : la dernière graine tombe en ${to}${taken > 0 ? ` et capture ${seeds(taken)}` : ""}.`,
    store: "grenier",
    seeds,
    lead: (lead) => `avance finale ${lead}`,
    estimate: (lead) => `avance finale estimée ${lead}`,
    best: "meilleur coup",
    playedLast: "dernier coup joué",
    notPlayable: "injouable",
    source: "les graines sont prises ici",
    toMove: "au trait",
  },

  status: {
    toMove: (player) => `À ${NAMES[player]} de jouer`,
    thinking: (player) => `${NAMES[player]} réfléchit…`,
    waiting: (player) => `À ${NAMES[player]} de jouer : c’est l’adversaire`,
    over: "Partie terminée",
    editing: "Modification du plateau",
  },

  verdict: {
    exact: "exact",
    estimate: "estimation",
    bounds: "encadrement",
    expected: "attendu",
    exactTitle: "Prouvé par les tables ou par une recherche complète",
    estimateTitle: "D’après la recherche du moteur ; non prouvé",
    boundsTitle: "Prouvé par les tables ; le reste dépend du moment où une répétition est arrêtée",
    expectedTitle: "D’après les tables, qui ignorent ce qui a été joué avant",
    asking: "Examen de la position…",
    estimating: "Le moteur réfléchit…",
    unknown: "Pas encore de valeur",
    wins: (player, more, less) => `${NAMES[player]} gagne ${more} à ${less}`,
    winsBy: (player, lead) => `${NAMES[player]} gagne de ${seeds(lead)}`,
    winsBetween: (player, low, high) => `${NAMES[player]} gagne de ${low} à ${seeds(high)}`,
    winsOrDraws: (player) => `${NAMES[player]} gagne ou fait nulle`,
    winsSomehow: (player) => `${NAMES[player]} gagne`,
    drawn: (each) => `Partie nulle, ${each} partout`,
    drawnSomehow: "Partie nulle",
    even: "À peu près égal",
    slightly: (player) => `Léger avantage à ${NAMES[player]}`,
    ahead: (player) => `Avantage à ${NAMES[player]}`,
    clearly: (player) => `Net avantage à ${NAMES[player]}`,
    withBestPlay: "Si chacun joue au mieux.",
    distance: (number) => `Prochaine prise, ou fin de la partie, dans ${plies(number)}.`,
    repetition: "L’écart dépend du moment où une répétition est arrêtée.",
    upTo: (player, high) => `${NAMES[player]} finit avec au plus ${seeds(high)} d’avance, selon le moment où une répétition est arrêtée.`,
    between: (player, behind, ahead) => `${NAMES[player]} finit entre ${seeds(behind)} de retard et ${ahead} d’avance, selon le moment où une répétition est arrêtée.`,
    unlessRepeated: "Une position déjà vue peut terminer la partie avant.",
    about: (player, lead) => `${NAMES[player]} devrait finir avec environ ${lead} graines d’avance.`,
    aboutEven: "Les deux joueurs devraient finir avec à peu près autant de graines.",
    unclaimed: (number) => `${seeds(number)} ne ${number === 1 ? "revient" : "reviennent"} à personne.`,
  },

  over: {
    drawn: (each) => `Partie nulle, ${each} partout`,
    majority: ({ winner, most, total }) => `${NAMES[winner]} a plus de la moitié des graines : ${most} sur ${total}.`,
    noMove: ({ toMove }) => `${NAMES[toMove]} n’a plus de coup jouable. Les graines restantes sont attribuées selon les règles.`,
    grandSlam: ({ mover, other }) => `${NAMES[mover]} a capturé les dernières graines de ${NAMES[other]} et ramasse celles qui restent sur le plateau.`,
    starved: ({ mover, other }) => `${NAMES[mover]} a affamé ${NAMES[other]} sans y être contraint : ${NAMES[other]} ramasse toutes les graines du plateau.`,
    emptyRow: () => "Un camp est vide. Les graines restantes sont attribuées selon les règles.",
    repetition: ({ repetitions }) => `La position s’est présentée pour la ${repetitions === 2 ? "deuxième" : "troisième"} fois. Les graines restantes sont attribuées selon les règles.`,
    unknown: () => "La partie est terminée.",
  },

  moves: {
    sentence: ({ player, letter, captured, again }) =>
      `${NAMES[player]} joue ${letter}${captured > 0 ? ` et capture ${seeds(captured)}` : ""}${again ? ", puis rejoue" : ""}.`,
    label: (number, move, mark, lost) =>
      `Coup ${number} : ${move}${mark ? `, ${mark}` : ""}${lost ? `, a concédé ${lost}` : ""}`,
    mark: { inaccuracy: "imprécision", mistake: "erreur", blunder: "gaffe" },
    about: (number) => `environ ${number}`,
    turningPoint: "tournant de la partie",
  },

  game: {
    title: "Partie",
    moves: "Coups",
    review: "Analyser la partie",
    reviewing: (done, all) => `Arrêter l’analyse (${done} sur ${all})`,
    files: "Enregistrer, ouvrir",
    playHere: "Jouer d’ici",
    variation: (number, letter) => `Variante à la place du coup ${number}, ${letter}`,
    promote: "En faire la suite principale",
    remove: "Supprimer la variante",
    reviewed: "L’analyse est terminée.",
  },

  graph: {
    keyExact: "avance finale de Sud, exacte",
    keyEstimate: "estimée",
    keyTaken: "avance en graines capturées",
    empty: "« Analyser la partie » estime chaque position de la partie.",
    hidden: "Les valeurs sont masquées.",
    none: "Courbe de la partie : pas encore de valeur.",
    here: (now, last) => `Courbe de la partie : l’avance finale de Sud est ${now} ici, ${last} à la dernière position connue.`,
    notKnownHere: "inconnue",
    move: (number, move, value) => `Coup ${number}, ${move} : ${value}`,
    start: (value) => `Début : ${value}`,
  },

  analysis: {
    title: "Coups",
    line: "Meilleure suite",
    playBest: "Jouer le meilleur coup",
    hide: "Masquer les valeurs",
    show: "Afficher les valeurs",
    fromTables: "exact, d’après les tables",
    tablesWithBounds: "d’après les tables",
    depth: (depth, selective) => `estimation, profondeur ${depth}${selective > depth ? ` à ${selective}` : ""}`,
    exactSearch: "exact, par recherche complète",
    nodes: (nodes) => `${nodes} positions examinées`,
    asking: "…",
    searching: "Le moteur cherche…",
    hidden: "Les valeurs sont masquées.",
    over: "La partie est terminée.",
    thinking: "Le moteur choisit un coup.",
    wins: (score) => (score ? `gagne ${score}` : "gagne"),
    loses: (score) => (score ? `perd ${score}` : "perd"),
    draws: (score) => (score ? `annule ${score}` : "annule"),
    score: (own, other) => `${own}–${other}`,
    winsOrDraws: "gagne ou fait nulle",
    drawsOrLoses: "fait nulle ou perd",
    between: (low, high) => `de ${low} à ${high}`,
    bounds: (low, high) => `${low} à ${high}`,
    plies,
    play: (move) => `Jouer ${move}`,
    playUpTo: (move) => `Jouer jusqu’à ${move}`,
    end: {
      over: "La partie est terminée.",
      loop: "La position se répète.",
      missing: "Les tables s’arrêtent ici.",
      length: "La suite continue.",
    },
    paused: "Le moteur est en pause.",
    longer: "Réfléchir plus longtemps",
    pause: "Pause",
    goOn: "Reprendre",
    lines: "Suites",
    noLine: "Pas encore de suite connue.",
    lineEstimate: "C’est la suite que prévoit le moteur.",
  },


  play: {
    title: "Nouvelle partie",
    opponent: "Adversaire",
    side: "Vous jouez",
    south: "Sud, en premier",
    north: "Nord",
    random: "Au hasard",
    start: "Commencer",
    fromPosition: "La partie commence dans la position du plateau.",
    challenge: "Copier un lien de défi",
    against: (name) => `Contre : ${name}`,
    youAre: (player) => `Vous êtes ${NAMES[player]}.`,
    level: (level) => `niveau ${level}`,
    levelAbout: (level) => `Le moteur au niveau ${level} sur 10.`,
    yourTurn: (player) => `À vous de jouer, ${NAMES[player]}`,
    won: (own, other) => `Vous gagnez ${own} à ${other}`,
    lost: (own, other) => `Vous perdez ${own} à ${other}`,
    drawn: (each) => `Partie nulle, ${each} partout`,
    rematch: "Revanche",
    swap: "Changer de camp",
    review: "Analyser la partie",
  },

  opponents: {
    none: { name: "Deux joueurs", about: "Vous jouez les deux camps, ou avec un ami devant cet écran." },
    random: { name: "Hasard", about: "Joue n’importe quel coup permis : pour les toutes premières parties." },
    "engine-1": { name: "Débutant", about: "Voit deux coups à l’avance et se trompe souvent (niveau 1 sur 10)." },
    "engine-3": { name: "Amateur", about: "Voit quelques coups à l’avance et se trompe parfois (niveau 3 sur 10)." },
    "engine-5": { name: "Joueur de club", about: "Voit plus loin et fait de petites fautes (niveau 5 sur 10)." },
    "engine-7": { name: "Joueur fort", about: "Cherche loin et ne perd jamais ce que garantissent les tables (niveau 7 sur 10)." },
    "engine-9": { name: "Maître", about: "Cherche dix fois plus que le joueur fort (niveau 9 sur 10)." },
    perfect: { name: "Finale parfaite", about: "La recherche la plus forte, et sans faute dès que les tables connaissent la position." },
  },

  settings: {
    title: "Réglages",
    speed: "Semailles",
    normal: "graine par graine",
    slow: "graine par graine, lentement",
    off: "d’un coup",
    sound: "Sons discrets",
  },

  editor: {
    tool: "Effet d’un clic sur une case ou un grenier",
    move: "déplacer",
    add: "+ ajouter",
    remove: "− retirer",
    turn: "Changer le trait",
    empty: "Vider le plateau",
    rest: "Le reste aux greniers",
    seeds: (number, most) => `${number} graines sur ${most}`,
    notation: "Position",
    set: "Appliquer",
    cancel: "Abandonner les changements",
    done: "Terminer",
    hintMove: "Faites glisser une graine, ou cliquez sur la case ou le grenier d’où prendre des graines, puis là où chacune doit aller.",
    hintSource: (place) => `Chaque clic déplace une graine depuis ${place}. Cliquez de nouveau dessus pour arrêter.`,
    hintAdd: "Un clic ajoute une graine, un clic droit en retire une.",
    hintRemove: "Un clic retire une graine.",
    pit: (letter) => `la case ${letter}`,
    store: (player) => `le grenier de ${NAMES[player]}`,
    full: (most) => `Une partie compte au plus ${most} graines : commencez par en déplacer ou en retirer.`,
    nothing: (place) => `Il n’y a pas de graine dans ${place}.`,
  },

  link: {
    title: "Lien vers cette position",
    text: "Ce navigateur ne laisse pas la page copier. Le lien est sélectionné : copiez-le au clavier ou par le menu.",
  },

  files: {
    title: "Enregistrer ou ouvrir une partie",
    text: "La partie en OGN (Oware Game Notation). Remplacez ce texte par une autre partie ou une liste de coups pour l’ouvrir.",
    load: "Ouvrir ce texte",
    open: "Choisir un fichier…",
    download: "Télécharger",
    copy: "Copier",
    tooLarge: "Le fichier est trop gros : une partie compte au plus 64 Kio.",
    unreadable: "Le fichier n’a pas pu être lu.",
    asking: "…",
  },

  notice: {
    notYourTurn: (player) => `C’est à ${NAMES[player]} de jouer : ses cases vont de ${pits(player)}.`,
    thinking: (player) => `${NAMES[player]} réfléchit : attendez son coup, ou annulez le vôtre.`,
    opponentsPit: (player) => `C’est l’adversaire qui joue pour ${NAMES[player]}.`,
    letMove: "Le laisser jouer",
    gameOver: "La partie est terminée.",
    engineLoads: "Le moteur est en cours de chargement. Il répondra dès qu’il sera là.",
    newGame: "Une nouvelle partie commence.",
    backToGame: "Revenir à la partie précédente",
    shortened: (found, given) => `Le coup ${given} n’est pas permis. Les coups précédents sont affichés.`,
  },

  illegal: {
    empty: (letter) => `La case ${letter} est vide.`,
    mustFeed: (letter) => `La case ${letter} laisserait l’adversaire sans graines : il faut jouer un coup qui le nourrit.`,
    cannotFeed: (letter) => `La case ${letter} laisserait l’adversaire sans graines.`,
    grandSlam: (letter) => `La case ${letter} capturerait les dernières graines de l’adversaire alors qu’un autre coup lui en laisse.`,
    grandSlamBanned: (letter) => `La case ${letter} capturerait les dernières graines de l’adversaire, ce que ces règles interdisent toujours.`,
    unknown: (letter) => `La case ${letter} ne peut pas être jouée.`,
  },

  error: {
    "no-connection": () => "Le serveur ne répond pas. Vérifiez qu’il fonctionne et que vous êtes en ligne.",
    "not-found": () => "Le serveur n’a pas ce que la page demande. Rechargez la page.",
    "unknown-ruleset": () => "Ces règles sont inconnues.",
    method: () => "Le serveur a refusé la demande. Rechargez la page.",
    "too-long": () => "La partie est trop longue pour le serveur.",
    parameter: () => "Le serveur n’a pas compris la demande.",
    board: () => "La position n’est pas valable : il faut douze nombres, puis les deux greniers et le camp au trait.",
    move: ({ ply, letter }) => `Le coup ${ply}, ${letter}, n’est pas permis.`,
    // The server's sentence names the line and the move in English.
    ogn: ({ error = "" }) => {
      const [, line] = /^line (\d+):/.exec(error) ?? [];
      const [, move] = /: move (.+?): /.exec(error) ?? /: '(.+?)' is not a move/.exec(error) ?? [];
      if (!line) return "Ce texte n’est pas une partie lisible.";
      return `Ligne ${line} : ${move ? `« ${move} » n’est pas un coup permis ici.` : "ce texte n’est pas une partie lisible."}`;
    },
    "game-over": () => "La partie est terminée.",
    "no-puzzles": ({ rules }) => `Les énigmes de ${rules} manquent sur ce site. Rechargez la page, ou choisissez d’autres règles.`,
    "missing-table": () => "Il n’y a pas de table pour cette position.",
    busy: () => "Le serveur est occupé.",
    timeout: () => "La réponse a pris trop de temps.",
    table: () => "Une table du serveur est endommagée ; son journal indique le fichier.",
    internal: () => "Le serveur a rencontré une erreur.",
    forbidden: () => "Le serveur ne répond pas à cette page à cette adresse : voir --allow-host dans son aide.",
    failed: ({ status }) => `Le serveur a rencontré une erreur${status ? ` (${status})` : ""}.`,
    page: ({ error }) => `La page a rencontré une erreur : ${error}`,
    worker: ({ error }) => `Le calcul dans ce navigateur a échoué${error ? ` : ${error}` : ""}. Réessayez, ou rechargez la page.`,
    "stored-table": () => "Une table conservée dans ce navigateur est endommagée : supprimez les tables de ces règles et recalculez-les.",
    storage: ({ error }) => `Ce navigateur ne peut pas conserver de tables${error ? ` : ${error}` : ""}. Libérez de l’espace, ou quittez la navigation privée.`,
  },

  ruleset,

  solver: {
    title: "Résoudre dans ce navigateur",
    about: "Calcule les valeurs exactes pour plus de graines. Les tables restent dans ce navigateur, même après un rechargement ; rien n’est envoyé ailleurs.",
    fetched: (host, requests, bytes) => `Lu dans les tables de ${host} : ${(bytes / 1000).toFixed(0)} ko en ${requests} requêtes.`,
    upTo: "Jusqu’à",
    seeds,
    start: "Résoudre",
    stop: "Arrêter",
    done: (name, most) => `Tout ce qui peut être résolu ici pour ${name} est connu : jusqu’à ${seeds(most)}.`,
    phase: (name, layer, last, left) => {
      if (layer === null) return `Préparation de ${name}…`;
      const time = left === null ? "" : `, encore ${left < 90 ? `${Math.max(Math.ceil(left / 5) * 5, 5)} s` : `${Math.ceil(left / 60)} min`} environ`;
      return `${name} : niveau ${layer} sur ${last}${time}`;
    },
    finished: (name, number) => `${name} est résolu jusqu’à ${seeds(number)}.`,
    storedTitle: "Conservé ici",
    stored: (name, number, bytes) => `${name} jusqu’à ${seeds(number)}, ${(bytes / 1e6).toFixed(1).replace(".", ",")} Mo`,
    remove: "Supprimer",
    removeLabel: (name) => `Supprimer les tables de ${name}`,
  },

  help,
};
