import { GatewayError, readSize } from '../../../core/api/index.ts';
import type { Lose } from '../../../core/api/codec.ts';

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** The pixels of a size. A word means nothing here: `auto` is left out, others are losses. */
const readPixels = (size: string | undefined, lose: Lose): Pixels | undefined => {
  const pixels = readSize(size);
  if (pixels === undefined && size !== undefined && size !== 'auto')
    lose('size', 'dropped', 'Bedrock reads a width and a height only');
  return pixels;
};

const MIN_SIDE = 320;
const MAX_SIDE = 4_096;
const STEP = 16;
const MAX_RATIO = 4;
const MAX_PIXELS = 4_194_304;

const isSide = (pixels: number): boolean => pixels >= MIN_SIDE && pixels <= MAX_SIDE && pixels % STEP === 0;

/**
 * The size for Nova Canvas: https://docs.aws.amazon.com/nova/latest/userguide/image-gen-access.html#image-gen-resolutions
 * @throws GatewayError `unsupported_parameter` for a size that the vendor refuses
 */
export const readNovaSize = (size: string | undefined, lose: Lose): Partial<Pixels> => {
  const pixels = readPixels(size, lose);
  if (pixels === undefined) return {};
  const { width, height } = pixels;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (isSide(width) && isSide(height) && ratio <= MAX_RATIO && width * height < MAX_PIXELS) return { width, height };
  throw new GatewayError(
    'unsupported_parameter',
    `Nova Canvas makes no images of ${width}x${height}: each side must be a multiple of ${STEP} from ${MIN_SIDE} to ` +
      `${MAX_SIDE}, the ratio at most ${MAX_RATIO} to 1, and the area below ${MAX_PIXELS} pixels.`,
    { param: 'size' },
  );
};

/** The ratios of the models of Stability AI: see the page of the codec. */
const ratios = ['1:1', '2:3', '3:2', '4:5', '5:4', '9:16', '16:9', '9:21', '21:9'] as const;

const valueOf = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
};

/** The ratio of Stability AI that is nearest to a size. The model chooses the pixels, so a size is never exact. */
export const readRatio = (size: string | undefined, lose: Lose): string | undefined => {
  const pixels = readPixels(size, lose);
  if (pixels === undefined) return undefined;
  const wanted = Math.log(pixels.width / pixels.height);
  const distance = (ratio: string): number => Math.abs(Math.log(valueOf(ratio)) - wanted);
  const nearest = ratios.reduce<string>((best, ratio) => (distance(ratio) < distance(best) ? ratio : best), '1:1');
  lose('size', 'approximated', `Stability AI makes an image of the ratio ${nearest} in pixels of its choice`);
  return nearest;
};
