import { weighText } from '../text/text-weight.ts';
import type { ExtraMembers } from '../json/extra-members.ts';
import type { Usage } from '../usage.ts';

/** A request to speak a text, independent of any wire. */
export interface SpeakRequest {
  readonly text: string;
  /** The name of a voice at the vendor. */
  readonly voice?: string;
  /** How the text is spoken, in words. */
  readonly instructions?: string;
  /** The file format: `mp3`, `wav`, `pcm` (16 bits at 24 kHz, without a header). Absent: the usual one of the wire. */
  readonly format?: string;
  /** 1 is the usual speed. */
  readonly speed?: number;
  /** The response is a stream of events with parts of the audio. Otherwise it is the file. */
  readonly stream: boolean;
  readonly extra: ExtraMembers;
}

/** A text that was spoken. */
export interface SpeakResponse {
  /** The bytes of the file. */
  readonly audio: Uint8Array;
  /** `audio/mpeg`. Audio without a header has its rate here: `audio/L16;rate=24000`. */
  readonly mediaType: string;
  readonly model?: string;
  readonly usage?: Usage;
}

/** A response body that is a file, and no JSON. */
export interface FileBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Tokens of audio for each character of Latin text: an upper estimate. Gemini writes 25 for a second, and speaks 64
 * characters in 111 (rubyll-3b0a471d). Characters of other scripts take longer, as they weigh more.
 */
const TOKENS_PER_WEIGHT = 2;

/** The tokens of a text as audio. */
export const estimateSpeechTokens = (text: string): number => Math.ceil(weighText(text) * TOKENS_PER_WEIGHT);
