export default function decorate(block) {
  const year = document.createElement('p');
  year.textContent = `© ${new Date().getFullYear()}`;
  block.append(year);
}
