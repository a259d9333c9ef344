// The form that takes the token where the page is served to other machines.

const form = document.querySelector("form");
const said = document.getElementById("said");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  said.textContent = "";
  const answer = await fetch("/api/login", {
    method: "POST",
    headers: { "content-type": "application/json", "x-fenwatch": "1" },
    body: JSON.stringify({ token: document.getElementById("token").value }),
  });
  if (answer.ok) location.replace("/");
  else said.textContent = answer.status === 401 ? "This is not the token." : `It failed (${answer.status}).`;
});
