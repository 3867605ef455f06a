import { startCallCounter } from './calls-made.ts';

// Loaded into the process of a gateway before its own code (node --import): V8 counts only the blocks of functions that
// it compiles after the count began. The parent process runs the work, and is sent what is superlinear.

const counter = await startCallCounter();
let finishRun = (): void => {};

const work = (run: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  finishRun = resolve;
  process.send?.({ run });
  return promise;
};

process.on('message', (message) => {
  if (message === 'the run is over') finishRun();
  if (message !== 'find what is superlinear') return;
  void counter.findSuperlinear(work).then(
    (found) => process.send?.({ found }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
