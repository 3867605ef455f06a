import type { GenerateResponse, JsonObject, Part, Tool } from '../../../../../core/api/index.ts';
import { isObject, sealProof, writeExtraMembers, type Lose, type WriteContext } from '../../../../../core/api/codec.ts';
import { parseCallInput } from '../../../../../core/api/internal.ts';
import { sealCallProof } from '../../call-proof.ts';
import { writeCallId } from '../../call-id.ts';
import { splitCallName } from '../../call-name.ts';
import { encodeCitations } from '../../citations.ts';
import { writeFinish } from '../../finish.ts';
import { DIRECT, WIRE, type Block } from '../../shape.ts';
import { writeUsage } from '../../usage.ts';
import { writeSearch } from '../../web-search.ts';

interface WriteOptions {
  readonly lose: Lose;
  /** False: thinking is billed, but its text is not sent. */
  readonly show: boolean;
  /** The tools of the request. */
  readonly tools: readonly Tool[];
}
type Writers = {
  readonly [K in Part['type']]: (part: Extract<Part, { type: K }>, options: WriteOptions) => readonly Block[];
};

const textBlock = (text: string, citations: readonly unknown[] = []): readonly Block[] =>
  text === '' && citations.length === 0 ? [] : [{ type: 'text', text, citations }];

const writers: Writers = {
  text: ({ text, citations, proof }, { lose, show }) => {
    if (proof !== undefined && show) lose('content', 'dropped', 'messages has no signature on text');
    if (citations === undefined) return textBlock(text);
    return textBlock(
      text,
      encodeCitations(citations, () => lose('citations', 'dropped', 'messages has no citation without a URL')),
    );
  },
  refusal: ({ text }) => textBlock(text),
  reasoning: ({ text, redacted, proof }, { show }) => {
    const sealed = proof === undefined ? undefined : sealProof(proof);
    if (redacted === true) return sealed === undefined ? [] : [{ type: 'redacted_thinking', data: sealed }];
    const thinking = show ? text : '';
    return thinking === '' && sealed === undefined ? [] : [{ type: 'thinking', thinking, signature: sealed ?? '' }];
  },
  'tool-call': ({ id, name, kind, input, proof }, { lose, tools }) => {
    const call: Block = {
      type: 'tool_use',
      id: writeCallId(id),
      caller: DIRECT,
      ...splitCallName(name, tools),
      input: kind === 'custom' ? { input } : parseCallInput(input, 'content.input', lose),
    };
    return proof === undefined
      ? [call]
      : [call, { type: 'thinking', thinking: '', signature: sealCallProof(id, proof) }];
  },
  media: (_part, { lose }) => {
    lose('media', 'dropped', 'messages has no media in responses');
    return [];
  },
  'tool-result': () => [],
  opaque: ({ wire, value, search }, { lose }) => {
    if (wire !== WIRE && search !== undefined) return writeSearch(search);
    if (wire === WIRE && isObject(value) && typeof value['type'] === 'string') return [value as Block];
    lose('content', 'dropped', `messages has no such part of ${wire}`);
    return [];
  },
};

const writePart = <K extends Part['type']>(part: Extract<Part, { type: K }>, options: WriteOptions): readonly Block[] =>
  writers[part.type as K](part, options);

/** The id of the provider if it has the form of this wire, or a new one. */
export const chooseId = (id: string | undefined, newId: (prefix: string) => string): string =>
  id?.startsWith('msg_') === true ? id : newId('msg_');

/** Encodes the first choice: the wire has one. https://platform.claude.com/docs/en/api/messages/create */
export function encodeResponse(response: GenerateResponse, context: WriteContext): JsonObject {
  const [choice] = response.choices;
  const { request } = context;
  const options: WriteOptions = { lose: context.lose, show: request.reasoning?.show !== false, tools: request.tools };
  return {
    container: null,
    ...writeExtraMembers(response.extra, WIRE, context.lose),
    ...writeExtraMembers(choice?.extra, WIRE, context.lose),
    id: chooseId(response.id, context.newId),
    type: 'message',
    role: 'assistant',
    model: response.model ?? '',
    content: choice?.parts.flatMap((part) => writePart(part, options)) ?? [],
    ...writeFinish(choice?.finish ?? { reason: 'stop' }),
    usage: writeUsage(response.usage, context.inputEstimate),
  };
}
