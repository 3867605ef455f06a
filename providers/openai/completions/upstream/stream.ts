import { type EventDecoder, type Frame, isObject, parseJson, type ReadContext } from '../../../../core/api/codec.ts';
import { decodeStream as decodeChatStream } from '../../chat-completions/upstream/response/stream.ts';
import { toChatForm } from './chat-form.ts';

const convert = (frame: Frame): Frame => {
  const chunk = parseJson(frame.data);
  return isObject(chunk) ? { ...frame, data: JSON.stringify(toChatForm(chunk, 'delta')) } : frame;
};

/** https://platform.openai.com/docs/api-reference/completions/create#completions-create-stream */
export const decodeStream = (context: ReadContext): EventDecoder => {
  const decoder = decodeChatStream(context);
  return { push: (frame, emit) => decoder.push(convert(frame), emit), end: (emit) => decoder.end(emit) };
};
