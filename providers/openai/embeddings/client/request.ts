import { type EmbedRequest, invalidRequest } from '../../../../core/api/index.ts';
import { type DecodedRequest, type InboundRequest, omitUndefined, readMembers } from '../../../../core/api/codec.ts';
import { invalidMember } from '../../request-members.ts';

import { WIRE } from '../shape.ts';

type Input = EmbedRequest['inputs'][number];

/** https://platform.openai.com/docs/api-reference/embeddings/create#embeddings-create-input */
const MAX_INPUTS = 2_048;

const kinds = { string: 'a text', number: 'a token id', object: 'a list of token ids' } as const;
type Kind = keyof typeof kinds;
/** The kind of an element; `undefined` for a value that is not an input. */
const kindOf = (value: unknown): Kind | undefined => {
  if (Array.isArray(value)) return 'object';
  return typeof value === 'string' || typeof value === 'number' ? (typeof value as 'string' | 'number') : undefined;
};

const checkText = (text: string, at: string): string => {
  if (text === '') throw invalidMember(at, 'is empty; there is nothing to embed.');
  return text;
};

const checkTokens = (tokens: readonly unknown[], at: string): readonly number[] => {
  if (tokens.length === 0) throw invalidMember(at, 'is empty; there is nothing to embed.');
  const wrong = tokens.findIndex((token) => !Number.isSafeInteger(token) || Number(token) < 0);
  if (wrong !== -1) throw invalidMember(`${at}[${wrong}]`, `must be a token id: an integer of at least 0.`);
  return tokens as readonly number[];
};

/** A list holds texts, or lists of token ids; a list of token ids is itself one input. */
const decodeList = (list: readonly unknown[]): readonly Input[] => {
  const kind = kindOf(list[0]);
  if (kind === 'number') return [checkTokens(list, 'input')];
  if (list.length > MAX_INPUTS)
    throw invalidRequest(
      `input[${MAX_INPUTS}]`,
      `'input' has ${list.length} elements; at most ${MAX_INPUTS} can be sent at once.`,
    );
  return list.map((item, index) => {
    const at = `input[${index}]`;
    if (kind === undefined) throw invalidMember(at, 'must be a text, a token id or a list of token ids.');
    if (kindOf(item) !== kind) throw invalidMember(at, `must be ${kinds[kind]}, as 'input[0]' is.`);
    return typeof item === 'string' ? checkText(item, at) : checkTokens(item as readonly unknown[], at);
  });
};

/** @throws GatewayError 400 that names the element */
const decodeInput = (value: unknown): readonly Input[] => {
  if (typeof value === 'string') return [checkText(value, 'input')];
  if (!Array.isArray(value))
    throw invalidRequest(
      'input',
      value === undefined ? "'input' is required." : "'input' must be a text, a list of texts, or token ids.",
    );
  if (value.length === 0) throw invalidMember('input', 'is empty; there is nothing to embed.');
  return decodeList(value);
};

/**
 * https://platform.openai.com/docs/api-reference/embeddings/create. `user` and other members without a canonical member
 * stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest({ body: value }: InboundRequest): DecodedRequest<'embed'> {
  const body = readMembers(value);
  const model = body.requiredString('model');
  const inputs = decodeInput(body.value('input'));
  const dimensions = body.number('dimensions', { integer: true, min: 1 });
  const encoding = body.oneOf('encoding_format', ['float', 'base64']) ?? 'float';
  const members = body.unread();
  const { user } = members;
  return {
    model,
    request: omitUndefined({ inputs, dimensions, encoding, extra: { wire: WIRE, members } }),
    ...(typeof user === 'string' ? { user } : {}),
  };
}
