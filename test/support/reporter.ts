// Mocha's spec reporter with a machine-readable last line: "N passed, N failed, N skipped".
import Mocha from 'mocha';

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      process.stdout.write(
        `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`,
      );
    });
  }
}
