import { GatewayError, type EndpointWire } from '../../../core/api/index.ts';
import { readText } from '../../../core/api/codec.ts';

type Edits = NonNullable<EndpointWire['edits']>;

/** Models that only speak: https://platform.openai.com/docs/guides/text-to-speech */
export const isSpeaker = (model: string): boolean => /^tts(?:-|$)|-tts(?:-|$)/.test(model);

const nothing: Edits = () => [];

/**
 * The first models have no events, and ignore instructions: https://platform.openai.com/docs/api-reference/audio/createSpeech
 * @throws GatewayError `unsupported_parameter`
 */
export const createSpeechEdits = (model: string): Edits =>
  /^tts(?:-|$)/.test(model)
    ? (body, { stream, lose }) => {
        if (stream)
          throw new GatewayError(
            'unsupported_parameter',
            `${model} has no events. Leave 'stream_format' out: a file is sent as it is made, too. ` +
              'Or choose another model, such as gpt-4o-mini-tts.',
            { param: 'stream_format' },
          );
        if (readText(body['instructions']) === '') return [];
        lose('instructions', 'dropped', `${model} ignores them`);
        return [{ member: 'instructions', value: undefined }];
      }
    : nothing;
