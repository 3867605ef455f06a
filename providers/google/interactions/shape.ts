import { lookUp } from '../../../core/api/codec.ts';

/** The wire of `POST /v1beta/interactions`: https://ai.google.dev/api/interactions-api */
export const WIRE = 'interactions';

/** The types of content that are media, and what a medium of each is if the body does not say it. */
const mediaKinds: Readonly<Record<string, string>> = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  document: 'application/pdf',
};

/** The media type that is assumed for content of this type; undefined: it is no medium. */
export const usualMediaType = (type: string): string | undefined => lookUp(mediaKinds, type);

/** Whether a value of this type is content, which belongs to a step, and no step of its own. */
export const isContentType = (type: string): boolean => type === 'text' || usualMediaType(type) !== undefined;

/** Whether a value of this type in the content of the user is a step. The AI SDK writes results so. */
export const isNestedStep = (type: string): boolean => type === 'function_result';

/** The type of content for a medium. */
export function contentTypeOf(mediaType: string): string {
  const [kind = ''] = mediaType.split('/', 1);
  return usualMediaType(kind) === undefined ? 'document' : kind;
}

/** Whether an unknown value of this type is a step of its own: the calls of tools that run at the vendor. */
export const isStepType = (type: string): boolean => /_(?:call|result)$/.test(type);
