import type { Media, Part } from '../canonical/part.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { TargetProfile } from '../contracts/codec.ts';
import { defineFit } from '../contracts/fit.ts';
import { describeField } from './field-name.ts';
import { unsupportedParameter } from './unsupported.ts';

type Sense = 'vision' | 'audio' | 'documents';
const words: Readonly<Record<Sense, string>> = { vision: 'images', audio: 'audio', documents: 'documents' };

/** Which capability a medium needs. Video has none of its own: it is the target's to refuse. */
const senseOf = ({ mediaType }: Media): Sense | undefined => {
  if (mediaType.startsWith('image/')) return 'vision';
  if (mediaType.startsWith('audio/')) return 'audio';
  return mediaType.startsWith('video/') ? undefined : 'documents';
};

const checkMedia = (media: Media, { wire }: GenerateRequest, { capabilities, model, wire: spoken }: TargetProfile): void => {
  const sense = senseOf(media);
  if (sense !== undefined && capabilities[sense] === false) {
    throw unsupportedParameter(describeField(wire, 'conversation'), `The model ${model} does not take ${words[sense]}. Remove the part, or choose a model that does.`);
  }
  if ('fileId' in media && wire !== spoken) {
    throw unsupportedParameter(describeField(wire, 'conversation'), `The model ${model} cannot read a file that was uploaded elsewhere. Send its bytes as base64.`);
  }
};

const checkParts = (parts: readonly Part[], request: GenerateRequest, profile: TargetProfile): void => {
  for (const part of parts) {
    if (part.type === 'media') checkMedia(part.media, request, profile);
    else if (part.type === 'tool-result') checkParts(part.parts, request, profile);
  }
};

/** Refuses media that the target cannot take, in tool results too: a model that silently sees nothing would answer all the same. */
export const mediaFit = defineFit({
  name: 'media',
  fit(request, profile) {
    for (const turn of request.turns) checkParts(turn.parts, request, profile);
    return undefined;
  },
});
