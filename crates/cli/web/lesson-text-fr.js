// The texts of a reviewed game in French. The keys are those of lesson-text-en.js.

const NAMES = { south: "Sud", north: "Nord" };
const decimal = (number) => number.toFixed(1).replace(".", ",");

export default {
  title: "Le déroulement de la partie",
  about: "Un coup qui ne concède rien compte 100 %, une graine 84 %, quatre graines 50 %. Les coups forcés ne comptent pas.",
  accuracy: "Précision",
  average: "Graines concédées par coup non forcé, en moyenne",
  only: "Coups uniques trouvés",
  onlyFound: (found, all) => `${found} sur ${all}`,
  marks: { inaccuracy: "Imprécisions ?!", mistake: "Erreurs ?", blunder: "Gaffes ??" },
  moments: "Moments décisifs",
  none: "Aucun coup n’a beaucoup concédé.",
  gaveAway: (number, player, move, amount) => `Le coup ${number} de ${NAMES[player]}, ${move}, a concédé ${amount}.`,
  turning: "Le vainqueur a changé.",
  find: "Trouver mieux",
  findAt: (number, player) => `Trouver mieux que le coup ${number} de ${NAMES[player]}`,
  moment: (number, player) => `Moment décisif : coup ${number} de ${NAMES[player]}`,
  task: "Trouvez le meilleur coup",
  played: (move, amount) => `Dans la partie, ${move} a concédé ${amount}. Quel coup est meilleur ?`,
  same: (letter, amount) => `${letter} est le coup de la partie, qui a concédé ${amount}. Essayez-en un autre.`,
  judging: (letter) => `${letter} : le moteur l’examine…`,
  keeps: (letter) => `${letter} garde tout : c’est le meilleur coup.`,
  keepsAbout: (letter) => `${letter} garde tout, pour autant que le moteur le voie : c’est le meilleur coup.`,
  gives: (letter, amount) => `${letter} concède ${amount}. Essayez un autre coup.`,
  better: (letter) => `Le meilleur coup est ${letter}.`,
  seeds: (number, exact) => `${exact ? number : `environ ${decimal(number)}`} ${number < 2 ? "graine" : "graines"}`,
  comment: (amount, line) => `concède ${amount} ; mieux : ${line}`,
  show: "Montrer le meilleur coup",
  next: "Moment suivant",
  close: "Fermer",
};
