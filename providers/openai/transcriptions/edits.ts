import type { EndpointWire } from '../../../core/api/index.ts';

/** Models for audio only: https://platform.openai.com/docs/guides/speech-to-text */
export const isTranscriber = (model: string): boolean => /^whisper|(?:^|-)transcribe(?:-|$)/.test(model);

/** Whisper ignores `stream`, and answers with JSON: https://platform.openai.com/docs/guides/speech-to-text */
export const streamsOf = (model: string): Pick<EndpointWire, 'streams'> =>
  model.startsWith('whisper') ? { streams: false } : {};
