import { GatewayError, type EndpointWire } from '../../core/api/index.ts';
import { readText } from '../../core/api/codec.ts';

type Edits = NonNullable<EndpointWire['edits']>;

/** What the speech of a vendor has. */
export interface SpeechModel {
  /** The only format of its files. */
  readonly format: string;
  /** Absent: unknown. */
  readonly voices?: readonly string[] | undefined;
}

const unsupported = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param });

/**
 * Refuses what a model with one format and with voices of its own cannot do.
 * @throws GatewayError `unsupported_parameter`
 */
export const createSpeechEdits =
  (model: string, { format, voices }: SpeechModel): Edits =>
  (body, { lose }) => {
    const voice = readText(body['voice']);
    if (voices !== undefined && voice !== '' && !voices.includes(voice))
      throw unsupported('voice', `${model} has no voice '${voice}'. It has ${voices.join(', ')}.`);
    const asked = readText(body['response_format']);
    if (asked === format) return [];
    if (asked !== '')
      throw unsupported('response_format', `${model} does not write '${asked}'. Set 'response_format' to ${format}.`);
    lose('response_format', 'approximated', `the model does not write mp3, the usual format: the audio is ${format}`);
    return [{ member: 'response_format', value: format }];
  };
