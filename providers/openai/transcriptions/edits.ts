import { GatewayError, type EndpointWire } from '../../../core/api/index.ts';

type Edits = NonNullable<EndpointWire['edits']>;

/** Models for audio only: https://platform.openai.com/docs/guides/speech-to-text */
export const isTranscriber = (model: string): boolean => /^whisper|(?:^|-)transcribe(?:-|$)/.test(model);

/**
 * Whisper ignores `stream`, and answers a stream with JSON.
 * @throws GatewayError `unsupported_parameter`
 */
export const refuseStreamOf =
  (model: string): Edits =>
  (_body, { stream }) => {
    if (!stream || !model.startsWith('whisper')) return [];
    throw new GatewayError(
      'unsupported_parameter',
      `${model} does not stream. Leave 'stream' out, or choose another model, such as gpt-4o-mini-transcribe.`,
      { param: 'stream' },
    );
  };
