import type { ExtraMembers } from '../json/extra-members.ts';
import type { LoadedFile } from './upload.ts';
import type { Usage } from '../usage.ts';

/** A request to write down speech, in its own language or in English, independent of any wire. */
export interface TranscribeRequest {
  /** The bytes of the audio are in the form of the client only: {@link InboundRequest.upload}. */
  readonly audio: TranscribedAudio;
  readonly stream: boolean;
  /** How the text is written, under the name of the wire: `srt`. Absent: as the vendor does. */
  readonly format?: string;
  readonly extra: ExtraMembers;
}

/** What is known of the audio. */
export interface TranscribedAudio {
  readonly bytes: number;
  /** How long it plays. */
  readonly seconds: number;
  /** The file does not say how long it plays: `seconds` is estimated from its bytes. */
  readonly isEstimated?: true;
  /** The field of the form that holds it. */
  readonly field?: string;
  /** Its bytes, for a target whose wire has no forms. */
  readonly media?: LoadedFile;
}

/** A text, with what the vendor says of its parts. */
export interface TranscribeResponse {
  readonly text: string;
  readonly usage?: Usage;
}

/** Speech is rarely encoded with fewer bytes, so that the seconds of a file are not estimated too low. */
export const MIN_BYTES_PER_SECOND = 2_000;

/** What models that are billed by tokens count for a second of speech: OpenAI 10, Mistral 12.5. */
export const TOKENS_PER_SECOND = 13;
/** Weight of text (`weighText`) for a token. */
export const OUTPUT_WEIGHT_PER_TOKEN = 4;
/** Fast speech, with the speakers named. */
export const OUTPUT_PER_SECOND = 10;
