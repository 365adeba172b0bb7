// Asking the system about ports.
import { createServer } from 'node:net';

/** True where nothing listens at host and port at this moment. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
