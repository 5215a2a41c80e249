// Loaded before a node: at each SIGUSR2 its clock jumps an hour ahead, then an hour behind, then back. The service has no setting for this.
const RealDate = Date;
const JUMPS = [0, 3_600_000, -3_600_000];
let jump = 0;
process.on('SIGUSR2', () => (jump = (jump + 1) % JUMPS.length));

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + JUMPS[jump]);
    else super(...given);
  }
  static now() {
    return RealDate.now() + JUMPS[jump];
  }
};
