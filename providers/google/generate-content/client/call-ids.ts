import { deriveCallId } from '../shape.ts';

interface Call {
  readonly name: string;
  readonly id: string;
  /** The client sent the id itself. */
  readonly given: boolean;
  answered: boolean;
}

/** Pairs the calls of the latest model turn with their results. Made per request: ids that were once handed out are not looked up. */
export interface CallIds {
  /** A model turn begins. @param turn its index among all turns */
  open(turn: number): void;
  call(name: string, id: string | undefined): string;
  /** @param place says where the result stands, for one that nobody asked for */
  result(name: string | undefined, id: string | undefined, place: string): string;
}

/** Gemini CLI writes the name of the function before an id: https://github.com/google-gemini/gemini-cli */
const isRewritten = (id: string, call: Call): boolean => id === `${call.name}__${call.id}` || call.id === `${call.name}__${id}`;

/**
 * Ids are optional on this wire. A call without one gets one by its place; a result without one, or with one that the client made up itself
 * (`synth_…`), answers the first call of its function that has none yet.
 */
export const createCallIds = (): CallIds => {
  let turn = 0;
  let calls: Call[] = [];
  const find = (name: string | undefined, id: string | undefined): Call | undefined => {
    const waiting = calls.filter(({ answered }) => !answered);
    const named = waiting.filter((call) => name === undefined || call.name === name);
    if (id === undefined) return named[0];
    return waiting.find((call) => call.id === id) ?? named.find((call) => isRewritten(id, call)) ?? named.find(({ given }) => !given);
  };
  return {
    open: (at) => {
      turn = at;
      calls = [];
    },
    call: (name, id) => {
      const call = { name, id: id ?? deriveCallId(turn, calls.length), given: id !== undefined, answered: false };
      calls.push(call);
      return call.id;
    },
    result: (name, id, place) => {
      const call = find(name, id);
      if (call === undefined) return id ?? `result_${place.match(/\d+/g)?.join('_') ?? '0'}`;
      call.answered = true;
      return call.id;
    },
  };
};
