import type { Headers, JsonObject } from '../../../core/api/index.ts';
import type { BodyEdit, Lose } from '../../../core/api/codec.ts';

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
    return [
      { member: 'model', value: undefined },
      { member: 'stream', value: undefined },
      { member: 'anthropic_version', value: VERSION },
      ...(known.length === 0 ? [] : [{ member: 'anthropic_beta', value: known }]),
      ...left.map((member) => ({ member, value: undefined })),
    ];
  };
}
