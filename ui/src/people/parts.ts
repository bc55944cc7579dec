/** The parts of the office: what somebody with an account can open there. */
export type Part = "people" | "desk" | "approvals" | "register" | "mine";
