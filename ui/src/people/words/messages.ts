/** What is said about people and their accounts; a word that a language lacks fails the type check. */
import type { Post } from "../../api/types.ts";

export interface PeopleMessages {
  posts: Record<Post, string>;
  signIn: {
    title: string;
    lead: string;
    staffTitle: string;
    staffLead: string;
    name: string;
    password: string;
    post: string;
    enter: string;
    show: string;
    hide: string;
    language: string;
    toStaff: string;
    toTables: string;
    over: string;
    changed: string;
    out: string;
    lent: string;
    otherPost: (name: string, post: string) => string;
    tooOften: string;
    unreachable: string;
  };
  account: {
    title: string;
    wallet: (amount: string) => string;
    signedInAs: (name: string) => string;
    signOut: string;
    touchAgain: string;
    failed: string;
  };
  password: {
    title: string;
    old: string;
    fresh: string;
    again: string;
    rule: string;
    notTheSame: string;
    wrongOld: string;
    change: string;
    ends: string;
  };
  sessions: {
    title: string;
    since: (when: string) => string;
    here: string;
    confirm: string;
    end: string;
    ended: string;
  };
  factors: {
    title: string;
    lead: string;
    enrolTitle: string;
    enrolLead: string;
    enrolLeadPlayer: string;
    passkey: string;
    code: string;
    codeHint: string;
    signInName: string;
    signInNameHint: string;
    saveName: string;
    nameSaved: string;
    addPasskey: string;
    passkeyHint: string;
    noPasskeys: string;
    addApp: string;
    scan: string;
    secret: string;
    picture: string;
    firstCode: string;
    confirmApp: string;
    label: string;
    myPasskey: string;
    myApp: string;
    passkeyKind: string;
    totpKind: string;
    never: string;
    added: string;
    removed: string;
    password: string;
    none: string;
    cancelled: string;
    since: (when: string) => string;
    used: (when: string) => string;
    remove: (label: string) => string;
  };
  limits: {
    title: string;
    lead: string;
    spend: string;
    minutes: string;
    minutesUsed: (minutes: string) => string;
    none: string;
    now: (amount: string) => string;
    waits: (amount: string, when: string) => string;
    noneWaits: (when: string) => string;
    spent: (amount: string) => string;
    set: string;
    lift: string;
    saved: string;
  };
  exclusion: {
    title: string;
    lead: string;
    howLong: string;
    day: string;
    week: string;
    month: string;
    halfYear: string;
    forGood: string;
    shut: string;
    password: string;
  };
  office: {
    people: string;
    desk: string;
    approvals: string;
    register: string;
    mine: string;
  };
  people: {
    title: string;
    find: string;
    none: string;
    add: string;
    posts: string;
    noPosts: string;
    firstPassword: string;
    makeKnown: string;
    known: (name: string) => string;
    reason: string;
    save: string;
    saved: string;
    newPassword: string;
    setPassword: string;
    passwordSet: (name: string) => string;
    signOut: string;
    signedOut: (name: string) => string;
    sessions: (count: number) => string;
    locked: (when: string) => string;
    excluded: (when: string) => string;
    excludedForGood: string;
    guest: string;
  };
  desk: {
    title: string;
    who: string;
    look: string;
    nobody: string;
    wallet: string;
    amount: string;
    buyIn: string;
    cashOut: string;
    taken: (amount: string, name: string) => string;
    paid: (amount: string, name: string) => string;
    notSoMuch: string;
    excluded: string;
  };
  approvals: {
    title: string;
    lead: string;
    none: string;
    waits: string;
    why: string;
    ask: string;
    large: string;
    asked: (who: string, when: string) => string;
    until: (when: string) => string;
    reason: string;
    approve: string;
    refuse: string;
    withdraw: string;
    own: string;
    notYours: string;
    approved: string;
    refused: string;
    withdrawn: string;
    acts: {
      register_staff: (name: string, posts: string) => string;
      change_posts: (name: string, posts: string) => string;
      set_password: (name: string) => string;
      reset_second_factor: (name: string) => string;
      credit_desk: (name: string, amount: string) => string;
      set_alone_limits: (desk: string, table: string) => string;
    };
  };
  register: {
    title: string;
    lead: string;
    when: string;
    what: string;
    who: string;
    by: string;
    details: string;
    find: string;
    earlier: string;
    none: string;
    kinds: Record<Kind, string>;
  };
}

/** The events of the register. */
export type Kind =
  | "PersonRegistered"
  | "PasswordSet"
  | "AccessRestored"
  | "PostsChanged"
  | "PersonLocked"
  | "SignInNameChosen"
  | "TotpEnrolled"
  | "TotpResealed"
  | "PasskeyEnrolled"
  | "SecondFactorUsed"
  | "SecondFactorRemoved"
  | "SecondFactorsReset"
  | "ClockNoted"
  | "KeyChanged"
  | "SessionOpened"
  | "SessionSeen"
  | "SessionEnded"
  | "CashTaken"
  | "CashPaid"
  | "ChipsSold"
  | "ChipsRedeemed"
  | "DeskIssued"
  | "DeskReceived"
  | "ChipsTaken"
  | "ChipsArrived"
  | "ChipsGivenBack"
  | "ChipsBrought"
  | "BooksCarriedOver"
  | "LimitSet"
  | "Excluded"
  | "ApprovalRequested"
  | "ApprovalDecided"
  | "AloneLimitsSet";
