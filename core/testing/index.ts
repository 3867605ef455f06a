/**
 * The laws that every codec and fit has to satisfy, those of third parties included. Independent of a test runner: each
 * law is `{ name, run }`.
 * @example for (const { name, run } of codecLaws(codec, loadRecordings(folder))) it(name, run);
 */
export type { Check } from './check.ts';
export { codecLaws, type CodecLawOptions } from './laws/codec-laws.ts';
export {
  createLossList,
  createProfile,
  createReadContext,
  createWriteContext,
  testOrigin,
  type LossList,
} from './contexts.ts';
export { countLaws, type CountLawOptions } from './laws/count-laws.ts';
export { embedLaws, sampleEmbedRequests, type EmbedLawOptions } from './laws/embed-laws.ts';
export {
  plainLaws,
  sampleModerateRequests,
  sampleImageRequests,
  sampleSpeakRequests,
  sampleRerankRequests,
  type PlainLawOptions,
  type SampleRequests,
} from './laws/plain-laws.ts';
export type { PlainOperation } from './laws/whole-request-laws.ts';
export { describeRecording } from './expectation.ts';
export { checkEventGrammar } from './laws/event-grammar.ts';
export { fitLaws } from './laws/fit-laws.ts';
export { createTestPrice } from './price.ts';
export { mutate, type Mutation } from './laws/mutations.ts';
export { evenCuts, hazardousCuts, rechunk } from './rechunk.ts';
export { recordReads, type ReadRecord } from './record-reads.ts';
export {
  loadRecordings,
  type Expectation,
  type ExpectedChoice,
  type ExpectedError,
  type ExpectedUsage,
  type RecordedRequest,
  type RecordedResponse,
  type Recording,
} from './recording.ts';
export { comparableResponse, type CheckFrames } from './laws/response-laws.ts';
export { interleavedEvents, sampleResponses } from './sample-responses.ts';
export { sampleRequests } from './samples.ts';
export { comparableEvents, decodeEvents, decodeFrames, encodeEvents, filterEvents, listEvents } from './streams.ts';
export {
  createTestDraft,
  createTestEnded,
  createTestExchange,
  createTestHead,
  createTestOutcome,
  createTestRequest,
  createTestTarget,
} from './exchange.ts';
export type { TestAnswer, TestContent, TestResponse } from './gateway/answer.ts';
export {
  startTestGateway,
  startTestUpstream,
  type TestExtension,
  type TestGateway,
  type TestGatewayOptions,
} from './gateway/start.ts';
export type { ReceivedRequest, TestUpstream } from './gateway/upstream.ts';
export { createTestLog, type LogLine, type TestLog } from './log.ts';
export { checkUsage } from './laws/usage-rules.ts';
export { createTestPrimaryServices, createTestServices } from './services.ts';
