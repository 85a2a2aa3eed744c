"""How a guest becomes an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from accounts.decoding import decode
from accounts.invitations import MAX_BYTES
from accounts.models import User


class KeepDealsForm(forms.Form):
    """An email and a password for the guest who is signed in now."""

    email = forms.EmailField(widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    password1 = forms.CharField(
        label="Password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, guest: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guest = guest

    def clean_email(self) -> str:
        """An address that nobody else signs in with."""
        email: str = self.cleaned_data["email"].lower()
        if User.objects.filter(email__iexact=email).exists():
            raise forms.ValidationError("There is an account with this email. Sign in with it instead.")
        return email

    def clean_password1(self) -> str:
        """As strong as any other account's."""
        password: str = self.cleaned_data["password1"]
        validate_password(password, self.guest)
        return password


class JoinForm(forms.Form):
    """A name and a password for the address that was invited."""

    name = forms.CharField(
        label="Your name", max_length=80, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    password1 = forms.CharField(
        label="Choose a password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean_password1(self) -> str:
        """As strong as any other account's."""
        password: str = self.cleaned_data["password1"]
        validate_password(password, User(email=self.email))
        return password


class InviteForm(forms.Form):
    """A list of people, pasted or as a file."""

    text = forms.CharField(required=False, max_length=MAX_BYTES, widget=forms.Textarea)
    file = forms.FileField(required=False, max_length=200)

    def clean(self) -> dict[str, Any]:
        """The list as text, from whichever of the two was given; the file where both were."""
        data = super().clean() or {}
        upload = data.get("file")
        if upload is not None:
            if upload.size > MAX_BYTES:
                raise forms.ValidationError("That file is larger than 200 kB.")
            data["text"] = decode(upload.read())
        return data
