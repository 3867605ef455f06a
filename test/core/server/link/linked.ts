import { createAnswerer } from '../../../../core/server/link/answerer.ts';
import { createWorkerLink, type AnswerAsk, type WorkerLink } from '../../../../core/server/link/link.ts';
import type { Answer, Ask } from '../../../../core/server/link/messages.ts';

/** Both ends of a link, and what went between them: as JSON, as between processes. */
export interface Linked {
  readonly worker: WorkerLink;
  readonly asks: (readonly Ask[])[];
  readonly answers: (readonly Answer[])[];
}

const carry = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const linkTo = (answer: AnswerAsk, number = 3): Linked => {
  const asks: (readonly Ask[])[] = [];
  const answers: (readonly Answer[])[] = [];
  const receive = createAnswerer(answer, number, (batch) => {
    const carried = carry(batch);
    answers.push(carried);
    worker.receive(carried);
  });
  const worker = createWorkerLink((batch) => {
    const carried = carry(batch);
    asks.push(carried);
    receive(carried);
  });
  return { worker, asks, answers };
};

export const rejectionOf = async (answer: unknown): Promise<unknown> => {
  try {
    return `it resolved with ${JSON.stringify(await answer)}`;
  } catch (error) {
    return error;
  }
};
