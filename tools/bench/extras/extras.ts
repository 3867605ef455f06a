import type { Extra } from './extra.ts';
import { mostStreams } from './most-streams.ts';
import { reloadUnderLoad } from './reload.ts';
import { startAndMemory } from './start.ts';
import { streamMemory } from './stream-memory.ts';

export const extras: readonly Extra[] = [mostStreams, streamMemory, startAndMemory, reloadUnderLoad];
