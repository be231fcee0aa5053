// placeholder
export default function Hosts() { return null; }
