import { describe, expect, it } from "vitest";
import { sample as event } from "../api/sample";
import type { EventData, EventName, TableEvent } from "../api/types";
import {
  articlesOf,
  bankBook,
  bankHolds,
  exceptionsNow,
  numbersCalled,
  openWrongPayments,
  paymentsFor,
  questionNow,
  topicOf,
  whoOf,
  wordsFor,
} from "./log";

describe("wrong payments", () => {
  it("are open until they are put right", () => {
    const made = event("WrongPaymentMade", {
      id: "w1",
      player: "ana",
      amount: 300,
      reason: "two chips too many",
      by: "luis",
    });
    const other = event("WrongPaymentMade", { id: "w2", player: "bob", amount: -100, by: "luis" });
    expect(openWrongPayments([made, other]).map((wrong) => wrong.id)).toEqual(["w1", "w2"]);
    const right = event("WrongPaymentCorrected", { id: "w1", player: "ana", amount: 300 });
    expect(openWrongPayments([made, other, right]).map((wrong) => wrong.id)).toEqual(["w2"]);
  });
});

describe("payments that a decision on a dispute may name", () => {
  it("are the player's own: open, or put right since he disputed", () => {
    const wrong = (id: string, player: string): TableEvent =>
      event("WrongPaymentMade", { id, player, amount: -200, reason: "", by: "luis" });
    const right = (id: string): TableEvent => event("WrongPaymentCorrected", { id });
    const before = [wrong("old", "ana"), wrong("open", "ana"), wrong("his", "bob"), right("old")];
    const raised = event("DisputeRaised", { id: 1, player: "ana" });
    const after = [wrong("new", "ana"), right("new")];
    const named = paymentsFor([...before, raised, ...after], "ana", raised.at);
    expect(named.map((each) => each.id)).toEqual(["open", "new"]);
  });
});

describe("the bank", () => {
  it("holds what was brought, less what was taken, and what was gained", () => {
    const book = bankBook([
      event("BankOpened", { amount: 100_000, by: "x" }),
      event("BankFilled", { amount: 20_000, by: "x" }),
      event("BankCredited", { amount: 5_000, by: "x" }),
      event("WrongPaymentMade", { id: "w", player: "a", amount: 300, reason: "", by: "x" }),
      event("ChipsBought", { player: "a", amount: 700, cash: true }),
      event("ChipsBought", { player: "b", amount: 900, cash: false }),
      event("BankCounted", { counted: 114_600, expected: 114_700, by: "x" }),
    ]);
    expect(bankHolds(book, -2_000)).toBe(112_700);
    // Cash is in the box and not in the bank; what a wallet paid for is in neither.
    expect(book.box).toBe(700);
    expect(book.counts).toMatchObject([{ counted: 114_600, expected: 114_700, by: "x" }]);
    expect(book.emptied).toEqual([]);
  });

  it("has a box that begins anew when it was emptied, whatever was found in it", () => {
    const book = bankBook([
      event("ChipsBought", { player: "a", amount: 700, cash: true }),
      event("BoxEmptied", { counted: 650, expected: 700, by: "x" }),
      event("ChipsBought", { player: "a", amount: 200, cash: true }),
    ]);
    expect(book.box).toBe(200);
    expect(book.emptied).toMatchObject([{ counted: 650, expected: 700, by: "x" }]);
    expect(book.counts).toEqual([]);
    expect(bankHolds(book, 0)).toBe(0);
  });
});

describe("the log", () => {
  it("says who did something and by which articles", () => {
    expect(whoOf(event("BallLaunched", { by: "marta" }))).toBe("marta");
    expect(whoOf(event("PostTaken", { person: "eva", post: "end" }))).toBe("eva");
    expect(whoOf(event("LosersCollected"))).toBeNull();
    const back = event("StakesReturned", {
      returned: [
        ["b1", 100, ["X-05", "AR-13"]],
        ["b2", 5, ["X-05"]],
      ],
    });
    expect(articlesOf(back)).toEqual(["X-05", "AR-13"]);
    const chosen = { id: "b1", player: "ana", returned: 50, lost: 50, articles: ["ES-7.2.b2"] } as EventData["ChoiceMade"]["line"];
    expect(articlesOf(event("ChoiceMade", { line: chosen }))).toEqual(["ES-7.2.b2"]);
  });

  it("tells some events otherwise for what stands in them", () => {
    const told = <T extends EventName>(type: T, data: Partial<EventData[T]>): string =>
      wordsFor(event(type, data));
    expect(told("StakeMoved", { by: "dino", ordered_by: "carla" })).toBe("StakeMovedOnOrder");
    expect(told("StakeMoved", { by: "dino", ordered_by: null })).toBe("StakeMoved");
    expect(told("TableOpened", { call: "" })).toBe("TableOpenedQuietly");
    expect(told("TableOpened", { call: "Hagan juego" })).toBe("TableOpened");
    expect(told("BallLaunched", { call: "Моля, залагайте" })).toBe("BallLaunchedWithCall");
    expect(told("BallLaunched", { call: "" })).toBe("BallLaunched");
  });

  it("finds the numbers of a wheel, newest first", () => {
    const called = [17, 0, 36].map((pocket) => event("NumberCalled", { pocket }));
    expect(numbersCalled(called)).toEqual([36, 0, 17]);
    expect(numbersCalled(called, 2)).toEqual([36, 0]);
  });

  it("forgets a call that was put right, and shows the question until it is", () => {
    const called = event("NumberCalled", { pocket: 9 });
    const asked = event("NumberQuestioned", {
      before: 9,
      number: 17,
      by: "marta",
      reason: "misread",
    });
    const right = event("NumberCorrected", { before: 9, number: 17, by: "marta", second: "carla" });
    const anew = event("NumberCalled", { pocket: 17 });
    expect(questionNow([called, asked])).toMatchObject({ before: 9, number: 17, by: "marta" });
    expect(questionNow([called, asked, right])).toBeNull();
    const back = event("NumberQuestioned", { before: 9, number: 9, by: "marta", reason: "" });
    expect(questionNow([called, asked, back])).toBeNull();
    expect(numbersCalled([called, asked, right])).toEqual([]);
    expect(numbersCalled([called, asked, right, anew])).toEqual([17]);
    // Before the call nobody signs, and there is no call to forget.
    const early = event("NumberCorrected", { before: 9, number: 8, by: "marta", second: null });
    expect(numbersCalled([called, early])).toEqual([9]);
  });

  it("knows who may still lay a late stake", () => {
    const closed = event("BettingClosed");
    const granted = ["ana", "bob"].map((player) => event("ExceptionGranted", { player }));
    const laid = event("StakePlaced", { player: "ana", exception: true });
    expect(exceptionsNow([closed, ...granted, laid])).toEqual(["bob"]);
    expect(exceptionsNow([closed, ...granted, event("BallPocketed")])).toEqual([]);
  });

  it("puts an event of a newer house among the decisions", () => {
    expect(topicOf("SomethingNew")).toBe("decisions");
  });
});
