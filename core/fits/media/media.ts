import { lookUp } from '../../canonical/json/look-up.ts';
import type { Media, MediaPart, Part } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

type Sense = 'vision' | 'audio' | 'video' | 'documents';
const words: Readonly<Record<Sense, string>> = {
  vision: 'images',
  audio: 'audio',
  video: 'video',
  documents: 'documents',
};

const senses: Readonly<Record<string, Sense>> = { image: 'vision', audio: 'audio', video: 'video' };

/** Which capability a medium needs. */
const senseOf = ({ mediaType }: Media): Sense =>
  lookUp(senses, mediaType.slice(0, mediaType.indexOf('/'))) ?? 'documents';

/** Calls `see` with every medium of a conversation, those inside tool results too. */
export function eachMedia(turns: readonly Turn[], see: (part: Part & MediaPart) => void): void {
  const look = (part: Part): void => {
    if (part.type === 'media') see(part);
    else if (part.type === 'tool-result') part.parts.forEach(look);
  };
  for (const { parts } of turns) parts.forEach(look);
}

/** Where a medium stands, as the client knows it. */
export const placeOf = (part: Part, { place, client }: Pick<FitContext, 'place' | 'client'>): string =>
  place?.(part) ?? describeField(client, 'conversation');

/**
 * @param describePlace asked only for the error: finding a place means going through the whole request
 * @throws GatewayError when the target does not take this kind of medium
 */
export function checkSense(media: Media, { capabilities, model }: TargetProfile, describePlace: () => string): void {
  const sense = senseOf(media);
  if (capabilities[sense] !== false) return;
  const place = describePlace();
  throw unsupportedParameter(
    place,
    `The model ${model} does not take ${words[sense]}. Remove the part at '${place}', or choose a model that does.`,
  );
}

/** Refuses media that the target cannot take, in tool results too: a model that silently sees nothing would answer all the same. */
export const mediaFit = defineFit({
  name: 'media',
  fit(request, profile, context) {
    eachMedia(request.turns, (part) => {
      checkSense(part.media, profile, () => placeOf(part, context));
      if (!('fileId' in part.media) || request.wire === profile.wire) return;
      const place = placeOf(part, context);
      throw unsupportedParameter(
        place,
        `The model ${profile.model} cannot read the file at '${place}', which was uploaded elsewhere. Send its bytes as base64.`,
      );
    });
    return undefined;
  },
});
