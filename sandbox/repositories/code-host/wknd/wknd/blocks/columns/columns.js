export default function decorate(block) {
  const most = Math.max(...[...block.children].map((row) => row.children.length), block.children.length);
  block.style.setProperty('--columns', String(most));
}
