import { framesOf, textOf, type VendorAnswers } from '../../matrix/vendors/vendors.ts';
import type { Item } from '../../matrix/vendors/vendor-responses.ts';
import { someTokens, type Json, type Wire } from '../../matrix/wires.ts';
import { proofOf } from '../../support/strict-vendors/written.ts';
import { readTools, type OfferedTool } from './offered-tools.ts';

/** A call as the script has it: of a tool in a namespace, or not. */
export interface Call {
  readonly name: string;
  readonly namespace?: string;
  /** A text if the tool is a custom one. */
  readonly input: Json | string;
}

/** What the model of the script responds with. */
export interface Answer {
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** It ends at the limit of tokens. */
  readonly isCut?: boolean;
  /** It reports that the context is almost full. */
  readonly isFull?: boolean;
  /** It never ends. */
  readonly isEndless?: boolean;
}

let made = 0;
/** Unique within this process. */
const makeId = (): string => String((made += 1)).padStart(6, '0');

/** The proofs of reasoning that the vendors of the script sign with. */
export const proofs = { messages: proofOf(1), responses: proofOf(2), google: proofOf(3) } as const;

/** Whether a request lets the vendor return its reasoning. */
const reasons: Readonly<Record<Wire, (body: Json) => boolean>> = {
  chat: () => false,
  messages: ({ thinking }) => ['enabled', 'adaptive'].includes(String((thinking as Json | undefined)?.['type'])),
  responses: ({ include }) => Array.isArray(include) && include.includes('reasoning.encrypted_content'),
  google: () => false,
};

/** A call of a tool, as the request offers it. */
export interface NamedCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly isCustom: boolean;
  readonly input: Json;
  readonly arguments: string;
}

const isOffered = ({ name, namespace }: Call, tool: OfferedTool): boolean =>
  (tool.name === name && tool.namespace === namespace) || tool.name === `${namespace}__${name}`;

/** The calls as the tools of a request require them; undefined if one of the tools is not there. */
export const nameCalls = (wire: Wire, body: Json, calls: readonly Call[]): readonly NamedCall[] | undefined => {
  const tools = readTools(wire, body);
  const named = calls.flatMap((call): readonly NamedCall[] => {
    const tool = tools.find((each) => isOffered(call, each));
    if (tool === undefined) return [];
    const { name, namespace, isCustom, required } = tool;
    const input = typeof call.input === 'string' ? { [String(required[0])]: call.input } : call.input;
    const text = isCustom ? String(call.input) : JSON.stringify(input);
    return [{ id: `call_${makeId()}`, name, ...(namespace && { namespace }), isCustom, input, arguments: text }];
  });
  return named.length === calls.length ? named : undefined;
};

const responsesCall = ({ id, name, namespace, isCustom, arguments: text }: NamedCall): Item => {
  const head = { call_id: id, name, ...(namespace && { namespace }) };
  return isCustom
    ? { type: 'custom_tool_call', ...head, input: text }
    : { type: 'function_call', ...head, arguments: text };
};

const vendorAnswers = (wire: Wire, body: Json, answer: Answer, named: readonly NamedCall[]): VendorAnswers => {
  const { text, isCut = false } = answer;
  const isReasoned = reasons[wire](body);
  const words = text === undefined ? [] : [text];
  const thought: Item = { type: 'reasoning', summary: [], encrypted_content: proofs.responses };
  return {
    chat: {
      message: { content: text ?? null, ...(named.length === 0 ? {} : { tool_calls: named }) },
      finish: isCut ? 'length' : named.length > 0 ? 'tool_calls' : 'stop',
    },
    messages: {
      content: [
        ...(isReasoned ? [{ type: 'thinking', thinking: 'Hm.', signature: proofs.messages }] : []),
        ...words.map((each) => ({ type: 'text', text: each })),
        ...named.map(({ id, name, input }) => ({ type: 'tool_use', id: `toolu_${id}`, name, input })),
      ],
      finish: isCut ? 'max_tokens' : named.length > 0 ? 'tool_use' : 'end_turn',
    },
    responses: {
      output: [
        ...(isReasoned ? [thought] : []),
        ...words.map((each): Item => ({ type: 'message', content: [{ type: 'output_text', text: each }] })),
        ...named.map(responsesCall),
      ],
      ...(isCut ? { incomplete: 'max_output_tokens' } : {}),
    },
    google: {
      parts: [
        ...words.map((each) => ({ text: each })),
        ...named.map(({ name, input }, index) => ({
          functionCall: { name, args: input },
          ...(index === 0 ? { thoughtSignature: proofs.google } : {}),
        })),
      ],
      finish: isCut ? 'MAX_TOKENS' : 'STOP',
    },
  };
};

const CONSTANT_ID = /(?<=")(msg|resp|chatcmpl|vendor|rs|fc|ctc)[_-](vendor|response|\d+)(?=")/g;

/** The response as the vendor of the wire sends it, with ids of its own: plain, or the frames of a stream. */
export const writeAnswer = (wire: Wire, body: Json, isStreamed: boolean, answer: Answer): readonly string[] => {
  const named = nameCalls(wire, body, answer.calls ?? []);
  // A request of the agent's own that quotes a prompt, without tools.
  const answers = vendorAnswers(wire, body, named === undefined ? { text: 'No tools.' } : answer, named ?? []);
  const tokens = { ...someTokens, fresh: answer.isFull === true ? 990_000 : 900, output: 90 };
  const frames = isStreamed ? framesOf(wire, answers, tokens) : [textOf(wire, 'plain', answers, tokens)];
  const id = makeId();
  return frames.map((frame) =>
    frame.replaceAll(CONSTANT_ID, (_, kind: string, name: string) => `${kind}_${id}${name}`),
  );
};
