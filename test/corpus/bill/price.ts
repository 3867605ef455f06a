/** The rates of `bill.ts` as `gateway.yaml` has them: USD per million tokens. */
export const writtenPrice = {
  input: 2,
  inputAudio: 8,
  inputImage: 3,
  cacheRead: 0.5,
  cacheWrite5m: 2.5,
  cacheWrite1h: 4,
  output: 10,
  reasoning: 20,
  outputAudio: 40,
  outputImage: 30,
};
