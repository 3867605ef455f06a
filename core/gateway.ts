/** The ways to start: a whole gateway in one thread, or the main thread of one with workers, and a worker. */
export { startGateway } from './server/single-process.ts';
export type { Gateway, GatewayEnvironment } from './server/startup.ts';
export { startPrimary } from './server/main-thread.ts';
export { startWorker } from './server/worker-thread.ts';
