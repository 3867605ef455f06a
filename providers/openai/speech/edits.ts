import type { EndpointWire } from '../../../core/api/index.ts';
import { readText } from '../../../core/api/codec.ts';

/** Models that only speak: https://platform.openai.com/docs/guides/text-to-speech */
export const isSpeaker = (model: string): boolean => /^tts(?:-|$)|-tts(?:-|$)/.test(model);

/**
 * The first models have no events, and ignore instructions:
 * https://platform.openai.com/docs/api-reference/audio/createSpeech
 */
export const speechTraits = (model: string): Pick<EndpointWire, 'edits' | 'streams'> =>
  /^tts(?:-|$)/.test(model)
    ? {
        streams: false,
        edits: (body, { lose }) => {
          if (readText(body['instructions']) === '') return [];
          lose('instructions', 'dropped', `${model} ignores them`);
          return [{ member: 'instructions', value: undefined }];
        },
      }
    : {};
