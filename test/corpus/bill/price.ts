/** The rates of `bill.ts` as `gateway.yaml` has them: USD per million tokens. */
export const writtenPrice = {
  input: 2,
  inputAudio: 8,
  inputImage: 3,
  inputVideo: 6,
  cacheRead: 0.5,
  cacheReadAudio: 0.7,
  cacheWrite5m: 2.5,
  cacheWrite1h: 4,
  cacheWrite12h: 7,
  output: 10,
  reasoning: 20,
  outputAudio: 40,
  outputImage: 30,
  units: { webSearches: 0.01, webFetches: 0.001, images: 0.04, seconds: 0.0001 },
  tiers: { flex: 0.5, priority: 2, fast: 6, ultrafast: 9 },
  regions: { us: 1.1 },
};
