import type { Headers, JsonObject } from '../../../core/api/index.ts';
import { isObject, readObjects, type BodyEdit, type Lose } from '../../../core/api/codec.ts';

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html */
const VERSION = 'bedrock-2023-05-31';

/** The values of `anthropic-beta` that the vendor documents on the same page. It refuses others. */
const knownBetas: readonly string[] = [
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
];

/** Members of the wire that this vendor refuses. */
const refused: readonly string[] = ['service_tier', 'inference_geo', 'speed'];

/**
 * Members of blocks that responses have and this vendor can refuse, also with the value that means the same as none:
 * https://github.com/anthropics/anthropic-sdk-go/issues/186
 */
const isDefault = (name: string, value: unknown): boolean =>
  (name === 'citations' && (value === null || (Array.isArray(value) && value.length === 0))) ||
  (name === 'caller' && isObject(value) && value['type'] === 'direct');

const hasDefault = (block: JsonObject): boolean => isDefault('citations', block['citations']) || 'caller' in block;

/** The messages without such members; undefined if there are none. */
function withoutDefaults(messages: unknown): readonly JsonObject[] | undefined {
  const list = readObjects(messages);
  if (!list.some(({ content }) => readObjects(content).some(hasDefault))) return undefined;
  return list.map((message) => {
    const { content } = message;
    if (!Array.isArray(content)) return message;
    const blocks = readObjects(content).map((block) =>
      hasDefault(block)
        ? Object.fromEntries(Object.entries(block).filter(([name, value]) => !isDefault(name, value)))
        : block,
    );
    return { ...message, content: blocks };
  });
}

const splitBetas = (headers: Headers): readonly string[] =>
  (headers['anthropic-beta'] ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');

/**
 * The body of InvokeModel for Claude: model and stream are in the path, version and betas are members.
 * @param betas of the settings, besides the known ones
 */
export function createMessagesEdits(betas: readonly string[] = []) {
  const accepted = new Set([...knownBetas, ...betas]);
  return (
    body: Readonly<JsonObject>,
    { headers, lose }: { readonly headers: Headers; readonly lose: Lose },
  ): readonly BodyEdit[] => {
    const asked = splitBetas(headers);
    const known = asked.filter((beta) => accepted.has(beta));
    for (const beta of asked)
      if (!accepted.has(beta)) lose('anthropic-beta', 'dropped', 'Bedrock does not document this beta');
    const left = refused.filter((member) => body[member] !== undefined);
    for (const member of left) lose(member, 'dropped', 'Bedrock has no such member');
    const messages = withoutDefaults(body['messages']);
    return [
      { member: 'model', value: undefined },
      { member: 'stream', value: undefined },
      { member: 'anthropic_version', value: VERSION },
      ...(known.length === 0 ? [] : [{ member: 'anthropic_beta', value: known }]),
      ...(messages === undefined ? [] : [{ member: 'messages', value: messages }]),
      ...left.map((member) => ({ member, value: undefined })),
    ];
  };
}
