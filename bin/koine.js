#!/usr/bin/env node
import './check-node.js';

await import('./quick-start.js');
if (process.argv[2] === 'serve') (await import('../core/services/small-heap.ts')).keepHeapSmall();
await import('../core/main.ts');
