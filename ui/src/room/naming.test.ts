import { beforeEach, describe, expect, test } from "vitest";
import { books } from "../gallery/books.ts";
import { LANGUAGES, isLanguage } from "../i18n/languages.ts";
import { words } from "../i18n/words.svelte.ts";
import { plainCall, plainClass, plainSpot, withPlain } from "./naming.ts";

const ALL = Object.keys(LANGUAGES).filter(isLanguage);

beforeEach(() => {
  words.language = "en";
});

describe("the plain meaning of a casino's word", () => {
  test("is that of the spot itself, or else of its class", () => {
    expect(plainSpot(books.es, "17")).toBe("straight up");
    expect(plainSpot(books.fr, "17/20")).toBe("split");
    expect(plainSpot(books.fr, "red")).toBe("red");
    expect(plainSpot(books.es, "low")).toBe("1 to 18");
    expect(plainClass(books.es, "simple")).toBe("even chance");
    expect(plainCall(books.it, "voisins")).toBe("neighbours of zero");
    expect(plainCall(books.it, "f4")).toBe("final");
  });

  test("is not said where the casino speaks the reader's language", () => {
    expect(plainSpot(books.sd, "17")).toBeNull();
    words.language = "fr";
    for (const spot of Object.keys(books.fr.spots)) expect(plainSpot(books.fr, spot)).toBeNull();
  });

  test("is not said where the casino's word is the same", () => {
    words.language = "it";
    expect(books.fr.spots["16/20"]?.word).toMatch(/^carré/);
    expect(plainSpot(books.fr, "16/20")).toBeNull();
  });

  test("follows the word in brackets where there is one", () => {
    expect(withPlain("rojo", "red")).toBe("rojo (red)");
    expect(withPlain("red", null)).toBe("red");
  });

  test.each(ALL)("is known in %s for every spot and every call with a word of its own", (language) => {
    words.language = language;
    for (const book of Object.values(books)) {
      if (book.language === language) continue;
      const silent = Object.keys(book.spots).filter((spot) => {
        const plain = plainSpot(book, spot) ?? words.find("room.plain", book.spots[spot]!.class);
        return plain === null;
      });
      expect(silent, book.id).toEqual([]);
      const calls = Object.keys(book.announcements).filter((call) => call in book.words);
      expect(calls.filter((call) => words.find("room.plain", call) === null)).toEqual([]);
    }
  });
});
