// The texts of the lessons in French. The keys are those of learn-text-en.js.

export default {
  title: "Apprendre en jouant",
  rulesTitle: (name) => `Les règles de ${name}, un plateau à la fois`,
  stores: (name) => `${name} est un jeu à greniers : ses leçons diffèrent de celles de l’awalé.`,
  lessons: "Leçons",
  learnt: "terminée",
  next: "Leçon suivante",
  again: "Réessayer",
  show: "Montrer",
  play: "Jouer une partie",
  puzzles: "Résoudre des énigmes",
  allDone: (name) => `Vous savez jouer selon ${name}.`,
  board: {
    sow: {
      title: "Semer",
      about: "La rangée du bas est à vous. À votre tour, vous prenez toutes les graines d’une de vos cases et vous les semez une à une dans les cases suivantes, vers la droite puis tout autour du plateau.",
      task: "Jouez une case dont une graine atteint la rangée du haut.",
      done: "Voilà comment on sème. Les graines qui arrivent en haut sont à votre adversaire, qui pourra les semer.",
      tip: "Toutes ces graines restent dans votre rangée. Choisissez une case plus à droite.",
    },
    lap: {
      title: "Le tour du plateau",
      about: "Une case de douze graines ou plus fait le tour du plateau. La case de départ est sautée et reste vide.",
      task: "Jouez la case F et ses 13 graines.",
      done: "Les graines ont fait le tour en sautant la case F. La dernière est tombée en haut : une case bien remplie capture souvent au bout de son tour.",
      tip: "C’était un coup court. Jouez la case bien remplie.",
    },
    capture: {
      title: "Capturer",
      about: "Vous capturez si votre dernière graine tombe dans une case adverse et y fait deux ou trois : vous prenez toutes ses graines.",
      task: "Capturez des graines. Comptez où tombe la dernière.",
      done: "La dernière graine a fait deux : elles sont à vous. Avant de jouer, regardez les cases d’une ou deux graines, les vôtres et les siennes.",
      tip: "Rien n’a été pris. La dernière graine doit tomber en haut, dans une case d’une ou deux graines.",
    },
    chain: {
      title: "La prise en chaîne",
      about: "Une prise continue en arrière : tant que la case précédente est à l’adversaire et contient aussi deux ou trois graines, vous la prenez également.",
      task: "Capturez sept graines en un coup.",
      done: "Trois cases de suite : la dernière et les deux d’avant. La chaîne s’arrête à la première case qui contient un autre nombre.",
      tip: "Il y a une prise plus grande. Faites tomber la dernière graine plus loin, pour que les cases d’avant comptent aussi.",
    },
    feed: {
      title: "Nourrir",
      about: {
        required: "Il faut toujours laisser à l’adversaire de quoi jouer. Si la rangée du haut est vide, vous devez jouer un coup qui la nourrit, s’il y en a un.",
        penalty: "Il faut laisser à l’adversaire de quoi jouer. Qui laisse la rangée du haut vide alors qu’un autre coup la nourrirait perd toutes les graines du plateau.",
      },
      task: {
        required: "Nourrissez votre adversaire. Essayez les autres cases : la page dit pourquoi elles sont injouables.",
        penalty: "Nourrissez votre adversaire.",
      },
      done: {
        required: "Votre adversaire peut de nouveau jouer. Si aucun coup ne le nourrissait, la partie serait terminée.",
        penalty: "Votre adversaire peut de nouveau jouer. Si aucun coup ne le nourrissait, vous ramasseriez les graines restantes.",
      },
      tip: "Votre adversaire n’avait plus de graines : il ramasse toutes celles du plateau. Un seul coup atteint la rangée du haut.",
    },
    slam: {
      title: "Le grand chelem",
      about: {
        forced: "Le grand chelem est la prise de toutes les graines adverses. Selon ces règles, il est interdit tant qu’il y a un autre coup.",
        illegal: "Le grand chelem est la prise de toutes les graines adverses. Selon ces règles, il est toujours interdit.",
        nothing: "Le grand chelem est la prise de toutes les graines adverses. Selon ces règles, le coup est permis mais ne prend rien.",
        all: "Le grand chelem est la prise de toutes les graines adverses. Selon ces règles, il ramasse aussi toutes les graines du plateau et termine la partie.",
      },
      task: {
        forced: "La case F serait un grand chelem : essayez-la et lisez pourquoi c’est interdit. Puis jouez une autre case.",
        illegal: "La case F serait un grand chelem : essayez-la et lisez pourquoi c’est interdit. Puis jouez une autre case.",
        nothing: "La case F serait un grand chelem. Jouez-la et voyez ce qu’elle prend.",
        all: "La case F est un grand chelem. Jouez-la.",
      },
      done: {
        forced: "Si tous les coups prenaient toutes les graines, l’un d’eux serait permis et terminerait la partie.",
        illegal: "Un joueur à qui il ne reste pas d’autre coup ne peut plus jouer, et la partie est terminée.",
        nothing: "Rien n’a été pris : les graines restent là où elles ont été semées. Le coup peut être bon quand même, car il met vos cases à l’abri.",
        all: "La partie est terminée : vous avez pris la rangée du haut et ce qui restait dans la vôtre.",
      },
      tip: "C’était un autre coup. Essayez la case F.",
    },
    store: {
      title: "Semer avec un grenier",
      about: {
        first: "La rangée du bas et le grenier de droite sont à vous. Un coup prend toutes les graines d’une case ; la première y retourne, les autres vont une à une dans les cases suivantes, votre grenier, puis les cases adverses. Le grenier adverse est sauté.",
        next: "La rangée du bas et le grenier de droite sont à vous. Un coup sème les graines d’une case une à une dans les cases suivantes, votre grenier, puis les cases adverses. Le grenier adverse est sauté.",
      },
      task: "Jouez une case dont une graine atteint votre grenier.",
      done: "Les graines de votre grenier sont acquises.",
      tip: "Aucune graine n’a atteint votre grenier. Choisissez une case plus à droite.",
    },
    again: {
      title: "Rejouer",
      about: "Si votre dernière graine tombe dans votre grenier, vous rejouez.",
      task: "Jouez une case dont la dernière graine tombe dans votre grenier.",
      done: "C’est encore à vous. On peut ainsi jouer plusieurs fois de suite.",
      tip: "La dernière graine est tombée ailleurs. Comptez de la case au grenier.",
    },
    opposite: {
      title: "Capturer en face",
      about: "Si votre dernière graine tombe dans une de vos cases qui était vide, vous la prenez, ainsi que toutes les graines de la case adverse d’en face.",
      task: "Capturez les cinq graines de la case e.",
      done: "Votre dernière graine et les cinq d’en face sont dans votre grenier.",
      tip: "Ce n’est pas la plus grande prise. Laquelle de vos cases est en face de la case e, et quel coup y finit ?",
    },
    even: {
      title: "Les nombres pairs",
      about: "Si votre dernière graine tombe dans une case adverse et rend son nombre pair, vous prenez toutes ses graines.",
      task: "Capturez quatre graines.",
      done: "Trois et une font quatre, un nombre pair.",
      tip: "Rien n’a été pris. Cherchez une case adverse au nombre impair qu’une dernière graine peut atteindre.",
    },
    end: {
      title: "La fin",
      about: {
        empty: "La partie est terminée quand une rangée est vide. Le joueur dont la rangée est vide prend les graines de l’autre.",
        own: "La partie est terminée quand une rangée est vide. Chacun garde alors les graines de sa rangée.",
      },
      task: "Jouez votre dernière graine.",
      done: {
        empty: "Votre rangée a été vide la première : vous avez pris les six graines restantes.",
        own: "Votre rangée a été vide la première : votre adversaire a gardé les six graines restantes.",
      },
      tip: "La partie continue. Jouez votre dernière graine.",
    },
  },
};
