import {
  type Framing,
  type Frame,
  lookUp,
  parseJson,
  readErrorMessage,
  readObject,
  readText,
} from '../../../core/api/codec.ts';
import { EventStreamDecoder, type EventMessage } from './decoder.ts';

const contentType = 'application/vnd.amazon.eventstream';

/** The name of the frame of an exception. */
export const EXCEPTION = 'exception';

const messageOf = (text: string): string => readErrorMessage(parseJson(text) ?? text) ?? '';

const writeConverse = ({ event, failure, text }: EventMessage): Frame =>
  failure === undefined
    ? { event, data: text }
    : { event: EXCEPTION, data: JSON.stringify({ type: failure, message: messageOf(text) }) };

/** An AWS event stream: the payload of each event under its name, an exception as the frame `exception`. */
export const eventStream: Framing = {
  name: 'aws-event-stream',
  contentType,
  decoder: ({ frameBytes }) => new EventStreamDecoder(frameBytes, writeConverse),
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html */
const errorOf: Readonly<Record<string, string>> = {
  throttlingexception: 'rate_limit_error',
  serviceunavailableexception: 'overloaded_error',
  modelnotreadyexception: 'overloaded_error',
  modeltimeoutexception: 'timeout_error',
  validationexception: 'invalid_request_error',
};

const writeError = (failure: string, text: string): Frame => {
  const type = lookUp(errorOf, failure.toLowerCase()) ?? 'api_error';
  return { event: 'error', data: JSON.stringify({ type: 'error', error: { type, message: messageOf(text) } }) };
};

/** The event of the messages wire in a chunk. Other events than chunks are not part of that wire. */
const writeChunk = ({ event, failure, text }: EventMessage): Frame => {
  if (failure !== undefined) return writeError(failure, text);
  if (event !== 'chunk') return { event: undefined, data: '' };
  const { bytes } = readObject(parseJson(text));
  const data = Buffer.from(readText(bytes), 'base64').toString('utf8');
  const type = readText(readObject(parseJson(data))['type']);
  // A chunk that cannot be read is passed on as it is, so that the codec reports it.
  return type === '' ? { event: 'chunk', data: data === '' ? text : data } : { event: type, data };
};

/** An AWS event stream whose chunks are events of the messages wire: InvokeModelWithResponseStream of Claude. */
export const messagesEventStream: Framing = {
  name: 'aws-event-stream-messages',
  contentType,
  decoder: ({ frameBytes }) => new EventStreamDecoder(frameBytes, writeChunk),
};
