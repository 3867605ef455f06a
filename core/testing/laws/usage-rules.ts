import { cacheWriteTotal, inputTotal, type Usage } from '../../api/index.ts';

const counts = ['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;

/**
 * Checks a usage record: counts are integers and not negative; reasoning, audio and images are within the output;
 * cache, audio and images are within the input. Returns the problems.
 */
export function checkUsage(usage: Usage): string[] {
  const problems = counts
    .filter((name) => !Number.isSafeInteger(usage[name]) || usage[name] < 0)
    .map((name) => `${name} is ${String(usage[name])}`);
  if (usage.reasoning > usage.output)
    problems.push(`reasoning (${usage.reasoning}) is more than output (${usage.output})`);
  const cached = usage.cacheRead + cacheWriteTotal(usage);
  if (cached > inputTotal(usage)) problems.push(`cache (${cached}) is more than input (${inputTotal(usage)})`);
  const { inputAudio = 0, inputImage = 0, inputVideo = 0, outputAudio = 0, outputImage = 0 } = usage;
  const media = inputAudio + inputImage + inputVideo;
  if (media > usage.inputUncached)
    problems.push(`audio, images and video (${media}) are more than the uncached input (${usage.inputUncached})`);
  if (usage.reasoning + outputAudio + outputImage > usage.output)
    problems.push(
      `reasoning, audio and images (${usage.reasoning + outputAudio + outputImage}) exceed output (${usage.output})`,
    );
  return problems;
}
