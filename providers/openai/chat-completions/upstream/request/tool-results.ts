import type { JsonObject, Part, ToolResultPart } from '../../../../../core/api/index.ts';
import { writeCallId } from './calls.ts';
import type { PartContext } from './media.ts';
import { encodeContent } from './parts.ts';

const FAILED = 'Error: ';

const isText = (part: Part): boolean => part.type === 'text' || part.type === 'opaque';

const markFailed = (content: string | readonly JsonObject[]): string | readonly JsonObject[] =>
  typeof content === 'string' ? FAILED + content : [{ type: 'text', text: FAILED }, ...content];

/** A text that refers to the media, which follow in a user message. */
const describeMedia = (media: readonly Part[]): readonly Part[] => {
  if (media.length === 0) return [];
  const image = media.some((part) => part.type === 'media' && part.media.mediaType.startsWith('image/'));
  return [{ type: 'text', text: image ? '[image attached]' : '[file attached]' }];
};

/** The cache mark of a result is written on its last text. */
const markLast = (texts: readonly Part[], { cache }: Part): readonly Part[] =>
  cache === undefined ? texts : texts.map((part, index) => (index === texts.length - 1 ? { ...part, cache } : part));

/**
 * A `tool` message, and the parts that it cannot hold: `tool` messages hold text only.
 * @returns `media`: parts to write in the next user message
 */
export function encodeResult(
  result: Part & ToolResultPart,
  context: PartContext,
): { readonly message: JsonObject; readonly media: readonly Part[] } {
  const { path, wire, lose } = context;
  const media = result.parts.filter((part) => !isText(part));
  const texts = markLast([...result.parts.filter(isText), ...describeMedia(media)], result);
  if (media.length > 0)
    lose(`${path}.content`, 'approximated', 'tool messages hold text; the rest follows in a user message');
  if (result.failed)
    lose(
      `${path}.failed`,
      'approximated',
      `tool messages have no flag for failure; the text begins with '${FAILED.trim()}'`,
    );
  const content = encodeContent(texts, context);
  const message = {
    role: 'tool',
    tool_call_id: writeCallId(result.id, wire),
    ...(result.name === undefined ? {} : { name: result.name }),
    content: result.failed ? markFailed(content) : content,
  };
  return { message, media };
}
