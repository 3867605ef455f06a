import { writeEvents, type WrittenEvent } from '../../providers/bedrock/write-events.ts';
import { STEPS, type Said, type ScriptedCall } from './script.ts';

/** A response as it is sent. */
export interface Written {
  readonly type: string;
  readonly body: string | Buffer;
  /** The body before it is framed in bytes. */
  readonly text: string;
}
export interface Asked {
  readonly vendor: string;
  readonly isStreamed: boolean;
  /** Whether the model may return its thoughts. */
  readonly thinks: boolean;
}

/** What proves the thought of a step. A vendor refuses any other. */
export const proofOf = (step: number): string => Buffer.from(`thought ${step}`).toString('base64');
/** Whether it proves the thought of any step. */
export const isProof = (text: string): boolean => /^thought \d+$/.test(Buffer.from(text, 'base64').toString());
/** The steps whose proofs the vendor sent, and that a later request of it lacks. */
export const findLostProofs = (sent: readonly string[], request: string): readonly number[] => {
  const given = sent.join('');
  return Array.from({ length: STEPS - 1 }, (_, index) => index + 1).filter(
    (step) => given.includes(proofOf(step)) && !request.includes(proofOf(step)),
  );
};
export const thoughtOf = (step: number): string => `Thought ${step}.`;

const [json, sse] = ['application/json', 'text/event-stream'];
export const plain = (body: string): Written => ({ type: json, body, text: body });
export const frames = (list: readonly string[]): Written => ({ ...plain(list.join('')), type: sse });
export const events = (list: readonly WrittenEvent[], text = JSON.stringify(list)): Written => ({
  type: 'application/vnd.amazon.eventstream',
  body: writeEvents(list),
  text,
});
export const argumentsOf = ({ input }: ScriptedCall): string => JSON.stringify(input);
export const wordsOf = ({ text }: Said): readonly string[] => (text === undefined ? [] : [text]);

export type Writer = (said: Said, asked: Asked) => Written;
