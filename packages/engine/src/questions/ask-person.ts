/** Declares how a running tool asks the person a question of the model. */
import type { QuestionAnswer, ServerQuestion } from "@localharness/protocol";

/** The answer to a question, and who gave it: a person, or the program because nobody did. */
export type GivenAnswer = QuestionAnswer & { readonly by: "person" | "nobody" };

/** A question of the model, or of an agent. */
export type ModelsQuestion = Omit<ServerQuestion, "questionId" | "server">;

/** Resolves to the answer. Declines if nobody can be asked, and cancels if the signal aborts. Never rejects. */
export type AskPerson = (question: ModelsQuestion, signal: AbortSignal) => Promise<GivenAnswer>;
