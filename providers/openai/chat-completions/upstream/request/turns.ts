import {
  GatewayError,
  writeExtraMembers,
  type GenerateRequest,
  type JsonObject,
  type Lose,
  type Part,
  type ToolResultPart,
  type Turn,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { encodeAssistant } from './assistant.ts';
import { writeCallId } from './call-ids.ts';
import { encodeContent, type PartPlace } from './parts.ts';

const FAILED = 'Error: ';

/** `tool` messages hold text only, so what else a result has follows in a message of the user. */
const isText = (part: Part): boolean => part.type === 'text' || part.type === 'opaque';

const markFailed = (content: string | readonly JsonObject[]): string | readonly JsonObject[] =>
  typeof content === 'string' ? FAILED + content : [{ type: 'text', text: FAILED }, ...content];

const describeAside = (aside: readonly Part[]): readonly Part[] => {
  if (aside.length === 0) return [];
  const image = aside.some((part) => part.type === 'media' && part.media.mediaType.startsWith('image/'));
  return [{ type: 'text', text: image ? '[image attached]' : '[file attached]' }];
};

/** A mark on the whole result stands on its last text here. */
const markLast = (texts: readonly Part[], { cache }: Part): readonly Part[] =>
  cache === undefined ? texts : texts.map((part, index) => (index === texts.length - 1 ? { ...part, cache } : part));

const encodeResult = (
  result: Part & ToolResultPart,
  place: PartPlace,
): { readonly message: JsonObject; readonly aside: readonly Part[] } => {
  const aside = result.parts.filter((part) => !isText(part));
  const texts = markLast([...result.parts.filter(isText), ...describeAside(aside)], result);
  if (aside.length > 0)
    place.lose(`${place.path}.content`, 'approximated', 'tool messages hold text; the rest follows in a user message');
  if (result.failed)
    place.lose(
      `${place.path}.failed`,
      'approximated',
      `tool messages have no flag for failure; the text begins with '${FAILED.trim()}'`,
    );
  const content = encodeContent(texts, place);
  const name = result.name === undefined ? {} : { name: result.name };
  return {
    message: {
      role: 'tool',
      tool_call_id: writeCallId(result.id, place.wire),
      ...name,
      content: result.failed ? markFailed(content) : content,
    },
    aside,
  };
};

/** `developer` of another wire became a system turn: the role is carried, whatever word it had. */
const exceptRole =
  (lose: Lose): Lose =>
  (field, kind, detail) => {
    if (!field.endsWith('.role')) lose(field, kind, detail);
  };

/** A turn of blocks that only another wire knows. Without them nothing of it is left, and an empty message would say something else. */
const isForeign = ({ parts }: Turn): boolean =>
  parts.length > 0 && parts.every((part) => part.type === 'opaque' && part.wire !== WIRE);

/**
 * The conversation as messages. Results come first in their turn and directly after the calls they answer; images of results, and images that
 * an assistant made, wait for the next place where a user may speak.
 */
export function encodeTurns({ turns, wire }: GenerateRequest, lose: Lose): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  let waiting: readonly Part[] = [];
  const flush = (place: PartPlace) => {
    if (waiting.length > 0) messages.push({ role: 'user', content: encodeContent(waiting, place) });
    waiting = [];
  };
  const encodeUser = (turn: Turn, extra: Readonly<JsonObject>, place: PartPlace) => {
    const results = turn.parts.filter((part) => part.type === 'tool-result');
    for (const result of results) {
      const { message, aside } = encodeResult(result, place);
      messages.push({ ...message, ...extra });
      waiting = [...waiting, ...aside];
    }
    const content = encodeContent(
      turn.parts.filter((part) => part.type !== 'tool-result'),
      place,
    );
    // Beside results nothing may be left to say, also where what was said exists on another wire only.
    if (content.length === 0 && results.length > 0) return;
    flush(place);
    messages.push({ role: 'user', content, ...extra });
  };
  const encodeOther = (turn: Turn, extra: Readonly<JsonObject>, place: PartPlace) => {
    flush(place);
    if (turn.role === 'system') {
      messages.push({ role: 'system', content: encodeContent(turn.parts, place), ...extra });
      return;
    }
    const images = turn.parts.filter((part) => part.type === 'media');
    if (images.length > 0)
      lose(
        `${place.path}.content`,
        'approximated',
        'an assistant message holds no media; it follows in a user message',
      );
    messages.push({ ...encodeAssistant(turn.parts, place), ...extra });
    waiting = images;
  };
  turns.forEach((turn, index) => {
    const place = { path: `messages[${index}]`, wire, lose };
    const extra = writeExtraMembers(turn.extra, WIRE, exceptRole(lose), `${place.path}.`);
    if (isForeign(turn)) encodeContent(turn.parts, place);
    else if (turn.role === 'user') encodeUser(turn, extra, place);
    else encodeOther(turn, extra, place);
  });
  flush({ path: `messages[${turns.length}]`, wire, lose });
  if (messages.length === 0)
    throw new GatewayError(
      'unsupported_parameter',
      'No message of the conversation has content that this model can be sent.',
      { param: 'messages' },
    );
  return messages;
}
