import type { GenerateRequest, JsonObject, Part, Turn } from '../../../../../core/api/index.ts';
import { type Lose, writeExtraMembers } from '../../../../../core/api/codec.ts';
import { unsupported } from '../../../request-members.ts';
import { WIRE } from '../../shape.ts';
import { encodeAssistant } from './assistant.ts';
import type { PartContext } from './media.ts';
import { encodeContent } from './parts.ts';
import { encodeResult } from './tool-results.ts';

/** `developer` messages of another wire are system turns here, so their role is not a loss. */
const exceptRole =
  (lose: Lose): Lose =>
  (field, kind, detail) => {
    if (!field.endsWith('.role')) lose(field, kind, detail);
  };

/** A turn that holds only blocks of another wire. It is left out: an empty message would change the conversation. */
const isForeign = ({ parts }: Turn): boolean =>
  parts.length > 0 && parts.every((part) => part.type === 'opaque' && part.wire !== WIRE);

/**
 * Writes turns as messages. Media that a message cannot hold wait for the next context where a user message can stand.
 */
class MessageWriter {
  readonly messages: JsonObject[] = [];
  #waiting: readonly Part[] = [];

  /** A user turn. Its results come first, directly after the calls they answer. */
  writeUser({ parts }: Turn, extra: Readonly<JsonObject>, context: PartContext): void {
    let hasResults = false;
    for (const [index, part] of parts.entries()) {
      if (part.type !== 'tool-result') continue;
      hasResults = true;
      const { message, media } = encodeResult(part, {
        ...context,
        path: `${context.path}.content[${index}]`,
        parts: part.parts,
      });
      this.messages.push({ ...message, ...extra });
      this.#waiting = [...this.#waiting, ...media];
    }
    const others = parts.filter((part) => part.type !== 'tool-result');
    const content = encodeContent(others, context);
    // After results there can be nothing else, or only what exists on another wire.
    if (content.length === 0 && hasResults) return;
    this.flush(context);
    this.messages.push({ role: 'user', content, ...extra });
  }

  writeSystem({ parts }: Turn, extra: Readonly<JsonObject>, context: PartContext): void {
    this.flush(context);
    this.messages.push({ role: 'system', content: encodeContent(parts, context), ...extra });
  }

  writeAssistant({ parts }: Turn, extra: Readonly<JsonObject>, context: PartContext): void {
    this.flush(context);
    const media = parts.filter((part) => part.type === 'media');
    if (media.length > 0)
      context.lose(
        `${context.path}.content`,
        'approximated',
        'an assistant message holds no media; it follows in a user message',
      );
    this.messages.push({ ...encodeAssistant(parts, context), ...extra });
    this.#waiting = media;
  }

  /** Writes the media that wait. */
  flush(context: PartContext): void {
    if (this.#waiting.length > 0) this.messages.push({ role: 'user', content: encodeContent(this.#waiting, context) });
    this.#waiting = [];
  }
}

/** @throws GatewayError when no message is left */
export function encodeTurns({ turns, wire }: GenerateRequest, lose: Lose): readonly JsonObject[] {
  const writer = new MessageWriter();
  for (const [index, turn] of turns.entries()) {
    const context = { path: `messages[${index}]`, wire, lose, parts: turn.parts };
    const extra = writeExtraMembers(turn.extra, WIRE, exceptRole(lose), `${context.path}.`);
    if (isForeign(turn)) encodeContent(turn.parts, context);
    else if (turn.role === 'user') writer.writeUser(turn, extra, context);
    else if (turn.role === 'system') writer.writeSystem(turn, extra, context);
    else writer.writeAssistant(turn, extra, context);
  }
  writer.flush({ path: `messages[${turns.length}]`, wire, lose });
  if (writer.messages.length === 0)
    throw unsupported('messages', 'No message of the conversation has content that can be sent to this model.');
  return writer.messages;
}
