import { GatewayError, readSize, type ImageRequest } from '../../../core/api/index.ts';
import type { Lose } from '../../../core/api/codec.ts';

/** https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios */
const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

const valueOf = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
};

/** The ratio of the vendor that is nearest to a size. The vendor chooses the pixels, so a size is never exact. */
export const readRatio = (size: string | undefined, lose: Lose): string | undefined => {
  const pixels = readSize(size);
  if (pixels === undefined) {
    if (size !== undefined && size !== 'auto') lose('size', 'dropped', 'Google reads a width and a height only');
    return undefined;
  }
  const wanted = Math.log(pixels.width / pixels.height);
  const distance = (ratio: string): number => Math.abs(Math.log(valueOf(ratio)) - wanted);
  const nearest = ratios.reduce<string>((best, ratio) => (distance(ratio) < distance(best) ? ratio : best), '1:1');
  lose('size', 'approximated', `Google makes an image of the ratio ${nearest} in pixels of its choice`);
  return nearest;
};

/** @throws GatewayError `unsupported_parameter` */
export const refuseVariations = ({ prompt }: ImageRequest, model: string): void => {
  if (prompt !== '') return;
  throw new GatewayError(
    'unsupported_parameter',
    `${model} needs a prompt, and makes no variations of an image alone. Send the image to /v1/images/edits with one.`,
    { param: 'prompt' },
  );
};

/** Names what Google's models do not have. */
export const loseOthers = ({ quality, format, delivery, user }: ImageRequest, lose: Lose): void => {
  if (quality !== undefined && quality !== 'auto') lose('quality', 'dropped', 'Google has no quality of images');
  if (format !== undefined) lose('output_format', 'dropped', 'Google chooses the file format');
  if (delivery === 'url') lose('response_format', 'approximated', 'Google returns the bytes of an image');
  if (user !== undefined) lose('user', 'dropped', 'Google has no such member');
};
