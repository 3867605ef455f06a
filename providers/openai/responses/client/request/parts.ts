import type { Part } from '../../../../../core/api/index.ts';
import type { Members } from '../../../../../core/api/codec.ts';
import { decodeAudio, type MeasureImage } from '../../../chat-completions/client/request/media.ts';
import { createContentReader, requireContent } from '../../../chat-completions/client/request/parts.ts';
import { readAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';
import { decodeFile, decodeImage } from './media.ts';

const decodeText = (part: Members): Part => {
  const citations = readAnnotations(part.array('annotations'));
  return { type: 'text', text: part.requiredString('text'), ...(citations.length === 0 ? {} : { citations }) };
};

/** What OpenAI encrypts begins so. */
const ENCRYPTED = /^gAAAA[\w-]+=*$/;

/**
 * Codex marks arguments of its tools for subagents as encrypted, and returns them in this part. Other vendors encrypt
 * nothing: what their models wrote is readable.
 */
const decodeEncrypted = (part: Members): Part => {
  const text = part.requiredString('encrypted_content');
  return ENCRYPTED.test(text)
    ? { type: 'opaque', wire: WIRE, value: { type: 'encrypted_content', encrypted_content: text } }
    : { type: 'text', text };
};

const readContent = createContentReader(WIRE, {
  encrypted_content: decodeEncrypted,
  input_text: decodeText,
  output_text: decodeText,
  text: decodeText,
  refusal: (part) => ({ type: 'refusal', text: part.requiredString('refusal') }),
  input_image: decodeImage,
  input_file: decodeFile,
  input_audio: decodeAudio,
});

/** The content of a message or the output of a call. */
export function decodeContent(item: Members, name: string, measureImage: MeasureImage): readonly Part[] {
  requireContent(item, name);
  return readContent(item, name, measureImage);
}
