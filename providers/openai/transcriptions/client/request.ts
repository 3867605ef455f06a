import { invalidRequest, type GatewayError, type TranscribedAudio, type WireName } from '../../../../core/api/index.ts';
import {
  isObject,
  MIN_BYTES_PER_SECOND,
  omitUndefined,
  readMembers,
  type DecodedRequest,
  type InboundRequest,
  type Members,
} from '../../../../core/api/codec.ts';
import { invalidMember } from '../../request-members.ts';
import { readFlag } from '../form-fields.ts';

/** What differs between the two wires of audio. */
interface AudioWire {
  readonly wire: WireName;
  /** The values of `response_format`. */
  readonly formats: readonly string[];
  readonly streams: boolean;
}

const noFile = (): GatewayError =>
  invalidMember('file', 'is required: an audio file with a name, as curl -F file=@speech.wav sends it.');

/** The file as the form describes it, with the longest time that it can play if its container does not say. */
const decodeAudio = (body: Members): TranscribedAudio => {
  const file = body.value('file');
  if (!isObject(file)) throw noFile();
  const { bytes, seconds } = file;
  if (typeof bytes !== 'number') throw noFile();
  return typeof seconds === 'number'
    ? { bytes, seconds, field: 'file' }
    : { bytes, field: 'file', seconds: Math.ceil(bytes / MIN_BYTES_PER_SECOND), isEstimated: true };
};

const decodeStream = (body: Members, { streams }: AudioWire): boolean => {
  const flag = readFlag(body, 'stream');
  if (flag && !streams) throw invalidRequest('stream', "Translations are not streamed; leave 'stream' out.");
  return flag;
};

const decodeFormat = (body: Members, { formats }: AudioWire): string | undefined => {
  const format = body.string('response_format');
  if (format === undefined || format === '' || formats.includes(format)) return format || undefined;
  throw invalidMember('response_format', `must be one of ${formats.join(', ')}.`);
};

/**
 * The fields of a form: https://platform.openai.com/docs/api-reference/audio/createTranscription. Fields without a
 * canonical member stay in `extra`.
 * @throws GatewayError 400 that names the field
 */
export const createDecodeRequest =
  (wire: AudioWire) =>
  ({ body: value }: InboundRequest): DecodedRequest<'transcribe'> & DecodedRequest<'translate'> => {
    const body = readMembers(value);
    const model = body.requiredString('model');
    const audio = decodeAudio(body);
    const stream = decodeStream(body, wire);
    const format = decodeFormat(body, wire);
    const extra = { wire: wire.wire, members: body.unread() };
    return { model, request: omitUndefined({ audio, stream, format, extra }) };
  };
