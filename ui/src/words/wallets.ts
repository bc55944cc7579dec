/** What is said otherwise where people have wallets, and what they play with is no play money. */
import type { Language } from "../api/types.ts";
import type { Messages } from "./messages.ts";

interface Wallets {
  lobby: Pick<Messages["lobby"], "lead" | "playMoney">;
  seat: Pick<Messages["seat"], "lead" | "money" | "tooMuch" | "playMoney" | "leaveHint">;
}

export const WALLETS: Record<Language, Wallets> = {
  en: {
    lobby: {
      lead: "Every table plays by its own rulebook. Take a seat.",
      playMoney: (amount) => `${amount} in your wallet`,
    },
    seat: {
      lead: "Buy chips of this table out of your wallet.",
      money: (amount) => `You have ${amount} in your wallet.`,
      tooMuch: "That is more than is in your wallet.",
      playMoney: "Wallet",
      leaveHint: "What your chips are worth goes back into your wallet.",
    },
  },
  es: {
    lobby: {
      lead: "Cada mesa juega según su reglamento. Siéntese.",
      playMoney: (amount) => `${amount} en su cartera`,
    },
    seat: {
      lead: "Compre fichas de esta mesa con lo que hay en su cartera.",
      money: (amount) => `Tiene ${amount} en su cartera.`,
      tooMuch: "Es más de lo que hay en su cartera.",
      playMoney: "Cartera",
      leaveHint: "Lo que valen sus fichas vuelve a su cartera.",
    },
  },
  it: {
    lobby: {
      lead: "Ogni tavolo gioca secondo il proprio regolamento. Si accomodi.",
      playMoney: (amount) => `${amount} nel portafoglio`,
    },
    seat: {
      lead: "Compri i gettoni di questo tavolo con il suo portafoglio.",
      money: (amount) => `Ha ${amount} nel portafoglio.`,
      tooMuch: "È più di quanto c’è nel portafoglio.",
      playMoney: "Portafoglio",
      leaveHint: "Il valore dei suoi gettoni torna nel portafoglio.",
    },
  },
  bg: {
    lobby: {
      lead: "Всяка маса играе по свой правилник. Седнете.",
      playMoney: (amount) => `${amount} в портфейла ви`,
    },
    seat: {
      lead: "Купете чипове за тази маса от портфейла си.",
      money: (amount) => `Имате ${amount} в портфейла си.`,
      tooMuch: "Това е повече, отколкото има в портфейла ви.",
      playMoney: "Портфейл",
      leaveHint: "Стойността на чиповете ви се връща в портфейла.",
    },
  },
  fr: {
    lobby: {
      lead: "Chaque table joue selon son règlement. Prenez place.",
      playMoney: (amount) => `${amount} dans votre portefeuille`,
    },
    seat: {
      lead: "Achetez des jetons de cette table avec votre portefeuille.",
      money: (amount) => `Vous avez ${amount} dans votre portefeuille.`,
      tooMuch: "C'est plus que n'en contient votre portefeuille.",
      playMoney: "Portefeuille",
      leaveHint: "La valeur de vos jetons retourne dans votre portefeuille.",
    },
  },
};

/** The room's words as they are said to somebody with a wallet. */
export function withWallets(messages: Messages, language: Language): Messages {
  const { lobby, seat } = WALLETS[language];
  return {
    ...messages,
    lobby: { ...messages.lobby, ...lobby },
    seat: { ...messages.seat, ...seat },
  };
}
