import { writeEvents, type WrittenEvent } from '../../providers/bedrock/write-events.ts';
import { readLines, type CorpusLine, type Json } from '../lines.ts';

/** A line whose stream is framed by AWS. */
export interface BedrockLine extends CorpusLine {
  readonly response: CorpusLine['response'] & {
    readonly eventstream?: readonly WrittenEvent[];
    readonly eventstream_b64?: string;
  };
}

export const readBedrockLines = (file: string): readonly BedrockLine[] => readLines(file) as readonly BedrockLine[];

/** The name of the model in the path, which is percent-encoded there. */
export const bedrockModelOf = ({ request }: CorpusLine): string =>
  decodeURIComponent(/\/model\/([^/]+)\//.exec(request.path)?.[1] ?? 'model');

/** The bytes as recorded, or the recorded events framed again. */
export const bytesOf = ({ response }: BedrockLine): Buffer =>
  response.eventstream === undefined
    ? Buffer.from(JSON.stringify(response.body))
    : response.eventstream_b64 === undefined
      ? writeEvents(response.eventstream)
      : Buffer.from(response.eventstream_b64, 'base64');

/** The events of the messages wire in the chunks of a stream, as text. */
export const messageEventsOf = ({ response }: BedrockLine): readonly string[] =>
  (response.eventstream ?? []).map(({ payload }) =>
    Buffer.from(String((payload as Json)['bytes']), 'base64').toString('utf8'),
  );

/** Claude by the messages API. Older bodies (`prompt`) and those of other models are not of that wire. */
export const isMessages = ({ request }: CorpusLine): boolean =>
  request.path.includes('anthropic') && Array.isArray(request.body?.['messages']);
