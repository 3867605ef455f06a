import type { Answer } from './answer.ts';
import type { ChatVendorAnswer } from './vendor-chat.ts';
import type { MessagesVendorAnswer } from './vendor-messages.ts';
import type { Json, Pair, Tokens, Wire } from './wires.ts';

/** What the client's SDK shows. `finish` and `usage` are in the words of its wire. */
export interface Expected extends Partial<Pick<Answer, 'text' | 'reasoning' | 'refusal' | 'calls' | 'sequence'>> {
  readonly finish: Readonly<Record<Wire, string>>;
  readonly usage?: Readonly<Record<Wire, Json>>;
}

/** A second request that holds the first answer, as the client's SDK gave it. */
export interface NextTurn {
  readonly request: Readonly<Record<Wire, (turn: Json) => Json>>;
  /** Every pair: what comes back to whom is the point. */
  readonly received: Readonly<Record<Pair, Json>>;
}

/** One feature on all wires. Bodies are written without `model` and without the members that ask for a stream. */
export interface MatrixCase {
  readonly name: string;
  readonly models?: Readonly<Record<Wire, string>>;
  readonly request: Readonly<Record<Wire, Json>>;
  /** What an upstream of this wire gets from the client of the other. Where both speak one wire it gets the client's own body. */
  readonly received: Readonly<Record<Wire, Json>> & { readonly native?: Partial<Record<Wire, Json>> };
  readonly vendor: { readonly chat: ChatVendorAnswer; readonly messages: MessagesVendorAnswer };
  readonly tokens?: Tokens;
  readonly expected: Expected;
  /** Where a pair differs, because its upstream cannot say what the other can. */
  readonly but?: Partial<Record<Pair, Partial<Expected>>>;
  /** The wire on which the native lane cannot serve the case. */
  readonly translated?: Wire;
  /** What the translated lane names as lost (`field;kind`), by the client's wire; nothing is lost where this is left out. */
  readonly losses?: Partial<Record<Wire, readonly string[]>>;
  readonly next?: NextTurn;
}

export const defaultModels: Readonly<Record<Wire, string>> = { chat: 'gpt-4.1', messages: 'claude-sonnet-4-5' };
export const modelsOf = ({ models = defaultModels }: Pick<MatrixCase, 'models'>): Readonly<Record<Wire, string>> => models;

/** The smallest request of each wire. */
export const hello = {
  chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
} as const;
/** The same as the other wire's client has it written: to chat from messages, to messages from chat. */
export const receivedHello = {
  chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
} as const;
/** The plainest answer of each vendor. */
export const goodDay = {
  chat: { message: { content: 'Good day.' }, finish: 'stop' },
  messages: { content: [{ type: 'text', text: 'Good day.' }], finish: 'end_turn' },
} as const;
export const stopped: Expected['finish'] = { chat: 'stop', messages: 'end_turn' };
