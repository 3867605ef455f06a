import { lookUp } from '../../canonical/json/read.ts';
import type { Media, MediaPart, Part } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

type MediaCapability = 'vision' | 'audio' | 'video' | 'documents';
const mediaNames: Readonly<Record<MediaCapability, string>> = {
  vision: 'images',
  audio: 'audio',
  video: 'video',
  documents: 'documents',
};

const capabilitiesByType: Readonly<Record<string, MediaCapability>> = {
  image: 'vision',
  audio: 'audio',
  video: 'video',
};

/** The capability that a medium requires. */
const capabilityOf = ({ mediaType }: Media): MediaCapability =>
  lookUp(capabilitiesByType, mediaType.slice(0, mediaType.indexOf('/'))) ?? 'documents';

/** Calls `visit` with every medium of a conversation, including those in tool results. */
export function eachMedia(turns: readonly Turn[], visit: (part: Part & MediaPart) => void): void {
  const look = (part: Part): void => {
    if (part.type === 'media') visit(part);
    else if (part.type === 'tool-result') part.parts.forEach(look);
  };
  for (const { parts } of turns) parts.forEach(look);
}

/** The path of a medium in the client's request. */
export const placeOf = (part: Part, { place, client }: Pick<FitContext, 'place' | 'client'>): string =>
  place?.(part) ?? describeField(client, 'conversation');

/**
 * @param describePlace called for an error only, because finding a path means reading the whole request
 * @throws GatewayError if the target does not support this kind of media
 */
export function checkMediaSupport(
  media: Media,
  { capabilities, model }: TargetProfile,
  describePlace: () => string,
): void {
  const capability = capabilityOf(media);
  if (capabilities[capability] !== false) return;
  const place = describePlace();
  throw unsupportedParameter(
    place,
    `The model ${model} does not support ${mediaNames[capability]}. ` +
      `Remove the part at '${place}', or choose a model that does.`,
  );
}

/**
 * Refuses media that the target does not support, including those in tool results: the model would respond without
 * having seen them.
 */
export const mediaFit = defineFit({
  name: 'media',
  fit(request, profile, context) {
    eachMedia(request.turns, (part) => {
      checkMediaSupport(part.media, profile, () => placeOf(part, context));
      if (!('fileId' in part.media) || request.wire === profile.wire) return;
      const place = placeOf(part, context);
      throw unsupportedParameter(
        place,
        `The model ${profile.model} cannot read the file at '${place}', which was uploaded elsewhere. Send its ` +
          'bytes as base64.',
      );
    });
    return undefined;
  },
});
