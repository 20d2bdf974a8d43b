// What the page says in French about the rulesets, and its help. The keys are those of
// help-text-en.js.

// Zero and one are singular in French.
const plural = (number, one, many) => `${number} ${number < 2 ? one : many}`;
const seeds = (number) => plural(number, "graine", "graines");

export const ruleset = {
  title: (name) => `Les règles : ${name}`,
  noTables: (name) => `${name} (sans tables)`,
  toSeeds: (name, number) => `${name} (≤ ${number} graines)`,
  tables: (highest) => (highest === null
    ? "Pas de tables : le moteur estime toutes les positions."
    : `Tables exactes jusqu’à ${seeds(highest)} sur le plateau ; le moteur estime le reste.`),
  about: {
    awari: "Les règles de la recherche sur l’awari et des Olympiades informatiques. Le grand chelem est interdit sauf s’il n’y a pas d’autre coup ; le jeu sans fin se partage également.",
    awale: "Comme awari, mais en cas de jeu sans fin chacun garde les graines de son camp.",
    abapa: "Les règles de l’Oware Society, celles des tournois. Le grand chelem est permis mais ne capture rien.",
    "awale-c": "Les règles du programme en terminal Awale Game. Le grand chelem ne capture rien ; les graines restantes ne comptent pour personne.",
    "awale-info": "Les règles d’awale.info. Le grand chelem est toujours interdit ; les graines restantes ne comptent pour personne.",
    pratt: "Les règles de John P. Pratt. Le grand chelem ramasse tout le plateau ; affamer l’adversaire est pénalisé.",
    ifmg: "Le mangala de la Fédération internationale des jeux de l’esprit : on sème aussi dans son grenier et l’on capture les nombres pairs.",
    kalah: "On sème aussi dans son grenier : y finir donne un nouveau coup, finir dans une de ses cases vides capture en face.",
    "kalah-empty": "Comme kalah, mais la dernière graine posée dans une de ses cases vides est capturée même sans rien en face.",
  },
  grandSlam: {
    forced: "Le grand chelem est interdit sauf s’il n’y a pas d’autre coup.",
    nothing: "Le grand chelem est permis mais ne capture rien.",
    illegal: "Le grand chelem est toujours interdit.",
    all: "Le grand chelem est permis et ramasse tout le plateau.",
  },
  feeding: {
    required: "Un coup doit laisser des graines à l’adversaire.",
    penalty: "Affamer l’adversaire sans nécessité fait perdre tout le plateau.",
  },
  leftovers: {
    owner: "Les graines restantes reviennent à leur camp.",
    nobody: "Les graines restantes ne comptent pour personne.",
  },
  endless: {
    even: "Le jeu sans fin se partage également.",
    nobody: "Le jeu sans fin ne rapporte rien à personne.",
    "by-side": "En cas de jeu sans fin, chacun garde les graines de son camp.",
    open: "La valeur du jeu sans fin reste ouverte.",
  },
};

export const help = {
  playTitle: "Comment on joue à l’awalé",
  play: [
    "Sud possède le camp du bas et sème de gauche à droite, Nord celui du haut et sème de droite à gauche : toujours dans le sens inverse des aiguilles d’une montre.",
    "À son tour, on prend toutes les graines d’une de ses cases et on les sème une à une dans les cases suivantes. Une case de douze graines ou plus fait le tour du plateau et saute la case de départ.",
    "Si la dernière graine tombe dans une case adverse qui en contient alors deux ou trois, on les capture, ainsi que celles des cases juste avant tant qu’elles en contiennent aussi deux ou trois.",
    "Il faut, si possible, laisser à l’adversaire de quoi jouer.",
    "La partie s’arrête quand un joueur a plus de la moitié des graines, ne peut plus jouer, ou quand le jeu tourne en rond. Celui qui a le plus de graines gagne.",
    "Les règles diffèrent sur des détails, comme la prise de tout un camp (le grand chelem). Dans les jeux à greniers, ifmg et kalah, on sème aussi dans son grenier.",
  ],
  valuesTitle: "Valeurs",
  values: [
    "Le nombre près d’une case est votre avance finale si chacun joue au mieux après ce coup : vert, vous gagnez ; rouge, vous perdez. Un anneau doré marque les meilleurs coups.",
    "Les nombres sur fond plein sont exacts, d’après les tables. Ceux au bord en tirets sont des estimations du moteur.",
    "Sous des règles comme abapa, une répétition vaut ce que contiennent les deux camps au moment où elle est arrêtée. Là où cela compte, les tables donnent un encadrement : « gagne ou fait nulle », « gagne de 2 à 4 ». Le nombre est alors compris dans l’encadrement, et son bord est en tirets.",
    "Une lettre sur fond sombre marque les cases jouables, un cercle en tirets le dernier coup.",
    "« Analyser la partie » marque les coups qui ont concédé des graines : ?! imprécision, ? erreur, ?? gaffe.",
  ],
  keysTitle: "Clavier",
  keys: [
    ["[A]–[F] ou [1]–[6]", "jouer cette case du joueur au trait"],
    ["[←] [→]", "reculer, avancer d’un coup"],
    ["[Début] [Fin]", "première, dernière position"],
    ["[M]", "jouer le meilleur coup"],
    ["[U] [Y]", "annuler, rétablir"],
    ["[V]", "variante suivante du coup"],
    ["[H]", "afficher ou masquer les valeurs"],
    ["[R]", "retourner le plateau"],
    ["[N]", "nouvelle partie"],
    ["[X]", "modifier le plateau, puis terminer"],
    ["[+] [−]", "pendant la modification, changer la case ou le grenier qui a le focus"],
    ["[Échap]", "terminer la modification, fermer un message"],
    ["[?]", "cette aide"],
  ],
  letterKeys: "Raccourcis avec lettres, chiffres et ?",
  rulesetsTitle: "Les règles",
};
