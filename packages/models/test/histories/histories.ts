/** Lists conversations as the harness really sends them: messages of the person, answers, and events between. */
import type { ImageContent } from "@localharness/protocol";
import type { ScriptedCall, ScriptedTurn } from "../fake-server/index.ts";

export interface Said {
  readonly text: string;
  readonly images?: readonly ImageContent[];
  /** The turn may end in an error that cannot be avoided; the following turns must work. */
  readonly mayFail?: true;
}

export interface History {
  readonly name: string;
  readonly says: readonly Said[];
  /** The model's answers, in order. */
  readonly answers: readonly ScriptedTurn[];
  /** Typed by the person while the first call runs. */
  readonly meanwhile?: string;
  /** Every question is denied. */
  readonly denies?: true;
  /** The second message comes in a session that resumes the first. */
  readonly resumes?: true;
  /** The model accepts images. */
  readonly seesImages?: true;
}

/** Every name, argument, result and text is a unique word. */
export const toolNames = { look: "look_around", weigh: "weigh_things", write: "write_things" } as const;

/** Returns a tool's result for an argument. */
export function resultOf(argument: string): string {
  return argument.replace("argument", "result");
}

function call(name: string, argument: string): ScriptedCall {
  return { name, arguments: { subject: argument } };
}

const pixel: ImageContent = {
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};

const first = { text: "personalpha" };
const second = { text: "personbeta" };
const lookAlpha = call(toolNames.look, "argumentalpha");
const weighBeta = call(toolNames.weigh, "argumentbeta");
const done = { text: "answeralpha" };
const last = { text: "answeromega" };

/** The server's message when its engine fails, which no change of the request can avoid. */
/** A failure that no other form of the request helps against. */
const broken = { kind: "status", status: 402, body: { error: { message: "the engine gave up" } } } as const;

export const histories: readonly History[] = [
  { name: "no call", says: [first, second], answers: [done, last] },
  { name: "one call", says: [first, second], answers: [{ calls: [lookAlpha] }, done, last] },
  {
    name: "two calls",
    says: [first, second],
    answers: [{ calls: [lookAlpha] }, { calls: [weighBeta] }, done, last],
  },
  {
    name: "text and call",
    says: [first, second],
    answers: [{ text: "beforehandalpha", calls: [lookAlpha] }, done, last],
  },
  {
    name: "thought and call",
    says: [first, second],
    answers: [{ reasoning: "thoughtalpha", calls: [lookAlpha] }, done, last],
  },
  {
    name: "thought, text and call",
    says: [first, second],
    answers: [{ reasoning: "thoughtalpha", text: "beforehandalpha", calls: [lookAlpha] }, done, last],
  },
  {
    name: "thought and answer",
    says: [first, second],
    answers: [{ reasoning: "thoughtalpha", ...done }, last],
  },
  {
    name: "parallel calls",
    says: [first, second],
    answers: [{ calls: [lookAlpha, weighBeta] }, done, last],
  },
  {
    name: "denied call",
    says: [first, second],
    answers: [{ calls: [call(toolNames.write, "argumentgamma")] }, done, last],
    denies: true,
  },
  {
    name: "steering message",
    says: [first, second],
    answers: [{ calls: [lookAlpha] }, done, last],
    meanwhile: "personmeanwhile",
  },
  {
    name: "after a failed turn",
    says: [{ ...first, mayFail: true }, second],
    answers: [{ ...done, faults: [broken] }, last],
  },
  {
    name: "after a failed turn with a call",
    says: [{ ...first, mayFail: true }, second],
    answers: [{ calls: [lookAlpha] }, { ...done, faults: [broken] }, last],
  },
  { name: "resumed", says: [first, second], answers: [{ calls: [lookAlpha] }, done, last], resumes: true },
  {
    name: "image",
    says: [{ ...first, images: [pixel] }, second],
    answers: [{ calls: [lookAlpha] }, done, last],
    seesImages: true,
  },
  {
    name: "image refused",
    says: [{ ...first, images: [pixel], mayFail: true }, second],
    answers: [done, last],
  },
  {
    name: "three tools",
    says: [first],
    answers: [
      { calls: [lookAlpha] },
      { calls: [weighBeta] },
      { calls: [call(toolNames.look, "argumentdelta")] },
      done,
    ],
  },
];
